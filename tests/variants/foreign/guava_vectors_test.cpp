// Compares our filter with results of Guava 31.1 itself (tests/golden/interop_vectors.json, section
// guava).

#include <cstdint>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/hash/little_endian.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/interop_vectors.hpp"
#include "tests/variants/foreign/vector_bytes.hpp"
#include "variants/foreign/guava/guava_filter.hpp"

namespace bloometry {
namespace {

const nlohmann::json& guava_vectors() {
  return test::interop_vectors().at("guava");
}

/// Returns an empty filter with the parameters of a test vector.
GuavaFilter empty_guava(const nlohmann::json& vector) {
  return {vector.at("bits"), vector.at("num_hash_functions"),
          GuavaStrategy{vector.at("strategy_byte").get<std::uint8_t>()}};
}

std::string key_named(const nlohmann::json& name) {
  return test::interop_keys().at(name.get<std::string>());
}

Digest digest_of_hex(const nlohmann::json& text) {
  const std::string bytes = test::bytes_of_hex(text);
  return {load_little_endian<std::uint64_t>(bytes.data()),
          load_little_endian<std::uint64_t>(bytes.data() + 8)};
}

std::u16string chars_of(const std::string& text) {
  if (text == "布隆") return u"布隆";
  return {text.begin(), text.end()};
}

GuavaKey key_of_funnel(const std::string& funnel, const std::string& value) {
  if (funnel == "longFunnel") return std::int64_t{std::stoll(value)};
  if (funnel == "integerFunnel") return std::int32_t{std::stoi(value)};
  if (funnel == "unencodedCharsFunnel") return chars_of(value);
  REQUIRE(funnel == "stringFunnel(UTF_8)");
  return value;
}

}  // namespace

TEST_CASE("guava: the indices of every key equal Guava's, with both strategies", "[foreign]") {
  int num_checked = 0;
  for (const auto& vector : guava_vectors().at("filters")) {
    if (!vector.contains("indices")) continue;
    const GuavaFilter filter = empty_guava(vector);
    for (const auto& row : vector.at("indices")) {
      CAPTURE(test::text_of(row));
      CHECK(filter.indices(key_named(row.at("key"))) ==
            row.at("indices").get<std::vector<std::uint64_t>>());
      ++num_checked;
    }
  }
  CHECK(num_checked == 4 * 23);
}

TEST_CASE("guava: a filter equals Guava's file byte for byte", "[foreign]") {
  REQUIRE(guava_vectors().at("filters").size() == 6);
  for (const auto& vector : guava_vectors().at("filters")) {
    CAPTURE(vector.at("strategy").get<std::string>(), test::text_of(vector.at("bits")));
    GuavaFilter filter = empty_guava(vector);
    for (const auto& name : vector.at("keys")) filter.insert(key_named(name));
    CHECK(filter.serialize() == test::serialized_bytes(vector));
    CHECK(filter.bits().count() == vector.at("ones"));
    for (const auto& name : vector.at("keys")) CHECK_FALSE(filter.insert(key_named(name)));
  }
}

TEST_CASE("guava: Guava's file is read with its parameters and keys, and written unchanged",
          "[foreign]") {
  for (const auto& vector : guava_vectors().at("filters")) {
    const std::string bytes = test::serialized_bytes(vector);
    const GuavaFilter filter = GuavaFilter::parse(bytes);
    CHECK(filter.num_bits() == vector.at("bits"));
    CHECK(filter.num_hashes() == vector.at("num_hash_functions"));
    CHECK(static_cast<int>(filter.strategy()) == vector.at("strategy_byte"));
    CHECK(filter.bits().count() == vector.at("ones"));
    for (const auto& name : vector.at("keys")) CHECK(filter.contains(key_named(name)));
    CHECK(filter.serialize() == bytes);
  }
}

TEST_CASE("guava: each funnel's digest equals Guava's", "[foreign]") {
  REQUIRE(guava_vectors().at("funnels").size() == 15);
  for (const auto& row : guava_vectors().at("funnels")) {
    CAPTURE(test::text_of(row));
    const Digest expected = digest_of_hex(row.at("murmur3_128_hex"));
    CHECK(key_of_funnel(row.at("funnel"), row.at("value")).digest() == expected);
    CHECK(GuavaKey(test::bytes_of_hex(row.at("bytes_fed_hex"))).digest() == expected);
  }
}

TEST_CASE("guava: sizes equal Guava's, by the rules for k of both releases", "[foreign]") {
  REQUIRE(guava_vectors().at("sizing").size() == 11);
  for (const auto& row : guava_vectors().at("sizing")) {
    CAPTURE(test::text_of(row));
    const std::uint64_t n = row.at("n");
    const double p = row.at("p");
    constexpr auto kStrategy = GuavaStrategy::kMurmur128Mitz64;
    if (row.at("longs").is_null()) {
      CHECK_THROWS_AS(GuavaFilter::for_capacity(n, p), ConfigError);
      continue;
    }
    const GuavaFilter filter = GuavaFilter::for_capacity(n, p);
    CHECK(filter.num_bits() == 64 * row.at("longs").get<std::uint64_t>());
    CHECK(filter.num_hashes() == row.at("k_guava_31_1"));
    CHECK(GuavaFilter::for_capacity(n, p, kStrategy, GuavaNumHashes::kFromRate).num_hashes() ==
          row.at("k_by_current_formula"));
  }
}

}  // namespace bloometry
