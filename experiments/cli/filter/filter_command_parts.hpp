#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fmt/core.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/text.hpp"
#include "experiments/cli/command_line/command.hpp"
#include "experiments/cli/command_line/command_parts.hpp"
#include "experiments/cli/command_line/option_names.hpp"
#include "experiments/cli/filter/filter_options.hpp"
#include "experiments/workload/key_hash.hpp"

/// The options that several commands of `bloometry filter` and `bloometry redis` share. Only the
/// headers of these commands include this file, because CLI11 needs seconds to compile.
namespace bloometry::filter_commands {

using Formats = std::span<const std::string_view>;

inline constexpr auto kFormats = std::to_array<std::string_view>(
    {"bloometry", "guava", "go_bits_and_blooms", "go_bits_and_blooms_json", "redisbloom", "jedis",
     "pyrebloom", "php3", "go_seeded", "parquet_sbbf", "dcso"});
inline constexpr auto kFoldableFormats =
    std::to_array<std::string_view>({"bloometry", "redisbloom", "parquet_sbbf"});
inline constexpr auto kConvertibleFormats = std::to_array<std::string_view>(
    {"bloometry", "guava", "go_bits_and_blooms", "go_bits_and_blooms_json", "parquet_sbbf"});

inline Action in_terms_of_filter(Action command) {
  return in_terms_of(point_options(), in_terms_of(filter_options(), std::move(command)));
}

inline void add_out(const Command& app, std::filesystem::path& out) {
  app->add_option("-o,--out", out, "file to write; an existing file is replaced atomically")
      ->required()
      ->type_name("FILE");
}

inline void add_secret(const Command& app, std::optional<std::filesystem::path>& secret) {
  app->add_option(
         "--secret", secret,
         "file with a secret of 32 hexadecimal digits; required for the hashes siphash_2_4 "
         "and siphash_2_4_128")
      ->type_name("FILE");
}

/// Adds the option for the format of a filter file.
/// @param formats formats that the command supports
inline void add_from(const Command& app, FilterInput& input, const char* file, Formats formats) {
  input.formats = formats;
  app.offer(app.value("--from", "NAME",
                      fmt::format("format of {}: {} (default bloometry)", file, joined(formats)),
                      [&input, formats](const std::string& text) {
                        input.from = parse_choice("--from", formats, text);
                      }),
            formats);
}

/// Adds the options for m and k of a bitmap, because files of bitmaps do not contain m and k.
inline void add_bitmap_sizes(const Command& app, FilterInput& input) {
  app.value("-m", "SIZE",
            "size of a bitmap in bits, or in bytes like 64MiB; required for the formats jedis, "
            "pyrebloom, php3 and go_seeded, whose files do not contain it",
            [&input](const std::string& text) { input.sizes.num_bits = parse_bits("-m", text); });
  app.value(
      "-k", "N",
      "number of hashes of a bitmap; required for jedis, pyrebloom and go_seeded (default for "
      "php3: 3)",
      [&input](const std::string& text) {
        input.sizes.num_hashes = static_cast<unsigned>(
            std::min<std::uint64_t>(parse_whole("-k", kHashesAllowed, text), 1U << 20U));
      });
}

/// Adds the options for reading a filter file of any format.
inline void add_input(const Command& app, FilterInput& input, const char* file,
                      Formats formats = kFormats) {
  add_from(app, input, file, formats);
  add_bitmap_sizes(app, input);
  add_secret(app, input.secret);
}

inline void add_filter_file(const Command& app, FilterInput& input, Formats formats = kFormats) {
  app->add_option("FILTER", input.path, "filter file")->required();
  add_input(app, input, "FILTER", formats);
}

/// Adds the options for reading a filter file of a command that does not support bitmaps.
inline void add_filter_file_without_bitmaps(const Command& app, FilterInput& input,
                                            Formats formats) {
  app->add_option("FILTER", input.path, "filter file")->required();
  add_from(app, input, "FILTER", formats);
  add_secret(app, input.secret);
}

/// Returns the name of a hash, with a mark if it is weak.
inline std::string hash_choice(const KeyHash& hash) {
  return fmt::format("{}{}", hash.name, hash.is_weak ? " (weak)" : "");
}

inline std::vector<std::string_view> key_hash_names() {
  std::vector<std::string_view> names;
  for (const KeyHash& hash : all_key_hashes()) names.push_back(hash.name);
  return names;
}

/// Adds the options for the positions of a key in a filter of this library.
inline void add_own_hash(const Command& app, std::string& probes, std::string& hash,
                         std::optional<std::uint64_t>& seed) {
  add_probes(app, probes);
  app.offer(app->add_option("--hash", hash,
                            fmt::format("hash of the keys: {} (default xxh3)",
                                        joined(all_key_hashes(), hash_choice))),
            key_hash_names())
      ->type_name("NAME");
  app.seed(seed, "seed of the hash (default 0)");
}

/// Adds the options of query that select the output.
inline void add_answers(const Command& app, bool& is_inverted, bool& counts, bool& is_quiet) {
  app->add_flag("--invert", is_inverted,
                "print the given keys that the filter rejects (default: print the keys that it "
                "accepts, which may include false positives)");
  CLI::Option* count =
      app->add_flag("--count", counts, "print the number of selected keys instead of the keys");
  app->add_flag("-q,--quiet", is_quiet,
                "do not print keys; exit with code 0 only if every key would be printed, otherwise "
                "with code 1")
      ->excludes(count);
}

inline void add_quiet(const Command& app, bool& is_quiet) {
  app->add_flag("-q,--quiet", is_quiet, "print only errors");
}

}  // namespace bloometry::filter_commands
