#include "variants/redis/redis_parameters.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "variants/redis/native_positions.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

RedisParameters parameters_of(std::string_view variant, const SchemeInfo& scheme) {
  const VariantInfo& info = find_variant(variant);
  const AnyFilter filter = scheme.make(
      {.num_bits = 51'200, .num_hashes = std::clamp(8U, info.min_num_hashes, info.max_num_hashes)});
  FileHeader header = filter.image().header;
  header.hash = "xxh3";
  header.seed = 7;
  header.notes = {.capacity = 5000,
                  .target_false_positive_rate = 0.01,
                  .num_inserted = 17,
                  .is_intersected = variant == "blocked"};
  RedisParameters parameters = native_parameters(header);
  CHECK(parameters.variant == variant);
  parameters.version = random_version();
  return parameters;
}

TEST_CASE("parameters of every variant of bits and every scheme are read back unchanged",
          "[redis]") {
  for (const std::string_view name : variants_of_bits()) {
    const VariantInfo& variant = find_variant(name);
    for (const SchemeInfo& scheme : variant.schemes) {
      CAPTURE(variant.name, scheme.name);
      const RedisParameters written = parameters_of(variant.name, scheme);
      const RedisParameters read = parse_parameters(written.fields());
      CHECK(read.fields() == written.fields());
      CHECK(read.geometry() == written.geometry());
      CHECK(read.header().params == written.header().params);
      CHECK(read.notes == written.notes);
    }
  }
}

TEST_CASE("every variant of bits that passes non-zero cells can be stored in Redis", "[redis]") {
  std::set<std::string_view> expected;
  for (const VariantInfo& variant : all_variant_infos()) {
    if (!variant.sized_by_counters && variant.passes_nonzero_cells()) expected.insert(variant.name);
  }
  const std::vector<std::string_view> found = variants_of_bits();
  CHECK(std::set<std::string_view>(found.begin(), found.end()) == expected);
  CHECK(expected.size() >= 5);
}

TEST_CASE("parameters of other programs' schemes are read back unchanged", "[redis]") {
  for (const RedisScheme scheme : kRedisSchemes) {
    CAPTURE(name_of(scheme));
    RedisParameters written = foreign_parameters(scheme, {.num_bits = 8192, .num_hashes = 3});
    written.version = random_version();
    CHECK(parse_parameters(written.fields()).fields() == written.fields());
  }
}

TEST_CASE("variants whose cells are not bits are refused", "[redis]") {
  for (const char* variant : {"counting", "scalable", "blocked_counting", "variable_increment"}) {
    FileHeader header;
    header.variant = variant;
    header.hash = "xxh3";
    CHECK(test::message_of<ConfigError>([&] { static_cast<void>(native_parameters(header)); }) ==
          "variant must be " + joined_by_or(variants_of_bits()) +
              ", whose cells are one array of bits, got '" + std::string(variant) + "'");
  }
}

TEST_CASE("damaged parameters are refused by name", "[redis]") {
  const RedisFields good =
      parameters_of("blocked", find_variant("blocked").schemes.front()).fields();
  REQUIRE_NOTHROW(parse_parameters(good));

  struct Damage {
    std::string field;
    std::string value;  // empty: the field is removed
    std::string named;
  };

  const std::vector<Damage> damages = {{"format", "2", "format"},
                                       {"format", "", "format"},
                                       {"version", "", "version"},
                                       {"scheme", "", "scheme"},
                                       {"scheme", "other", "scheme"},

                                       {"num_bits", "", "num_bits"},
                                       {"num_bits", "0", "num_bits"},
                                       {"num_bits", "51201", "num_bits"},
                                       {"num_bits", "-1", "num_bits"},
                                       {"num_bits", "5e4", "num_bits"},
                                       {"num_bits", "99999999999999999999", "num_bits"},
                                       {"num_hashes", "0", "num_hashes"},
                                       {"num_hashes", "17", "num_hashes"},
                                       {"num_hashes", "x", "num_hashes"},
                                       {"variant", "", "variant"},
                                       {"variant", "counting", "variant"},
                                       {"variant", "other", "variant"},
                                       {"probes", "other", "probes"},
                                       {"hash", "", "hash"},
                                       {"seed", "x", "seed"},
                                       {"block_bits", "64", "block_bits"},
                                       {"block_bits", "0", ""},
                                       {"capacity", "1 000", "capacity"},
                                       {"num_shards", "2", "shard_bits"},
                                       {"shard_bits", "512", "num_shards"}};
  for (const auto& [field, value, named] : damages) {
    CAPTURE(field, value);
    RedisFields fields = good;
    if (value.empty()) {
      fields.erase(field);
    } else {
      fields[field] = value;
    }
    const std::string message =
        test::message_of<ConfigError>([&] { static_cast<void>(parse_parameters(fields)); });
    CHECK(message != "nothing thrown");
    CHECK(test::contains_text(message, named));
  }

  const auto error_of = [](RedisFields fields, const char* field, const char* value) {
    fields[field] = value;
    return test::message_of<ConfigError>([&] { static_cast<void>(parse_parameters(fields)); });
  };
  CHECK(error_of(good, "num_bits", "-1") == "num_bits must be a whole number, got '-1'");
  CHECK(error_of(good, "num_hashes", "x") == "num_hashes must be a whole number, got 'x'");
  CHECK(error_of(good, "target_false_positive_rate", "x") ==
        "target_false_positive_rate must be a number, got 'x'");
  CHECK(error_of(good, "num_bits", "51201") ==
        "num_bits must be a multiple of 512 for blocked, got 51201");
  const RedisFields standard =
      parameters_of("standard", find_variant("standard").schemes.front()).fields();
  CHECK(error_of(standard, "block_bits", "512") == "block_bits must be 1 for standard, got 512");

  RedisFields cut = good;
  cut["num_shards"] = "100";
  cut["shard_bits"] = "512";
  cut["checksum"] = checksum_of(cut);
  CHECK_NOTHROW(parse_parameters(cut));
  const auto error_of_shards = [&](const std::string& shard_bits) {
    cut["shard_bits"] = shard_bits;
    cut["checksum"] = checksum_of(cut);
    return test::message_of<ConfigError>([&] { static_cast<void>(parse_parameters(cut)); });
  };
  for (const char* shard_bits : {"0", "511", "513"}) {
    CHECK(error_of_shards(shard_bits) ==
          "shard_bits must be a positive multiple of 512, got " + std::string(shard_bits));
  }
  CHECK(error_of_shards("1024") ==
        "num_shards must be 50, num_bits / shard_bits rounded up, got 100");
  RedisFields many = good;
  many["num_bits"] = "1099511627776";
  many["shard_bits"] = "512";
  many["num_shards"] = "2147483648";
  CHECK(test::contains_text(
      test::message_of<ConfigError>([&] { static_cast<void>(parse_parameters(many)); }),
      "must be in [1, 16384]"));
}

TEST_CASE("edited parameters are refused, even if their values are valid", "[redis]") {
  RedisFields fields = parameters_of("standard", find_variant("standard").schemes.front()).fields();
  const RedisFields good = fields;
  for (const auto& [field, value] :
       std::vector<std::pair<std::string, std::string>>{{"num_bits", "51199"},
                                                        {"num_hashes", "7"},
                                                        {"seed", "8"},
                                                        {"hash", "xxh64"},
                                                        {"probes", "independent"},
                                                        {"capacity", "5001"},
                                                        {"version", std::string(32, '0')},
                                                        {"remark", "new"}}) {
    CAPTURE(field);
    fields = good;
    fields[field] = value;
    CHECK(test::message_of<ConfigError>([&] { static_cast<void>(parse_parameters(fields)); }) ==
          "checksum differs from that of the other parameters");
  }
  fields = good;
  fields["updates"] = "17";
  CHECK_NOTHROW(parse_parameters(fields));
  fields.erase("checksum");
  CHECK_THROWS_AS(parse_parameters(fields), ConfigError);
}

TEST_CASE("random versions are unique", "[redis]") {
  std::set<std::string> versions;
  for (int i = 0; i < 1000; ++i) versions.insert(random_version());
  CHECK(versions.size() == 1000);
  for (const std::string& version : versions) {
    CHECK(version.size() == 32);
    CHECK(version.find_first_not_of("0123456789abcdef") == std::string::npos);
    // All versions and checksums have the same length, so all loads of a filter send the same
    // number of bytes.
    RedisFields fields = {{"version", version}};
    CHECK(checksum_of(fields).size() == 16);
  }
}

}  // namespace
}  // namespace bloometry
