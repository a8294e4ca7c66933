#pragma once

#include <string_view>

/// The fuzzed functions, one per reader. Each function reads an input under an allocation limit and
/// returns whether the input was accepted. If the input was accepted, the function also uses the
/// filter. Any exception except ConfigError ends the process. A broken guarantee of an accepted
/// filter also ends the process.
namespace bloometry::fuzz {

bool run_bloometry(std::string_view input);
bool run_guava(std::string_view input);
bool run_go_binary(std::string_view input);
bool run_go_bitset(std::string_view input);
bool run_go_json(std::string_view input);
bool run_key_text(std::string_view input);
bool run_keys(std::string_view input);
bool run_parquet_footer(std::string_view input);
bool run_redisbloom(std::string_view input);
bool run_redisbloom_chunks(std::string_view input);
bool run_redis_bitmap(std::string_view input);
bool run_parquet_sbbf(std::string_view input);
bool run_dcso(std::string_view input);

}  // namespace bloometry::fuzz
