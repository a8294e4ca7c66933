// Compares our filter with results of bits-and-blooms/bloom itself
// (tests/golden/interop_vectors.json, section go_bits_and_blooms).

#include <cstdint>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/interop_vectors.hpp"
#include "tests/variants/foreign/vector_bytes.hpp"
#include "variants/foreign/go_bits_and_blooms/go_bits_and_blooms_filter.hpp"

namespace bloometry {
namespace {

const nlohmann::json& go_vectors() {
  return test::interop_vectors().at("go_bits_and_blooms");
}

GoBitsAndBloomsFilter filled(const nlohmann::json& vector) {
  REQUIRE(vector.at("keys") == "all");
  GoBitsAndBloomsFilter filter(vector.at("m"), vector.at("k"));
  for (const auto& [name, key] : test::interop_keys()) filter.insert(key);
  return filter;
}

}  // namespace

TEST_CASE("go_bits_and_blooms: the locations of every key equal the program's", "[foreign]") {
  // The vectors contain locations before the reduction modulo m. The test compares the locations
  // modulo several numbers, because one modulus near 2^64 would not suffice.
  REQUIRE(go_vectors().at("locations_k7").size() == 23);
  for (const auto& row : go_vectors().at("locations_k7")) {
    CAPTURE(test::text_of(row));
    const std::string& key = test::interop_keys().at(row.at("key").get<std::string>());
    for (const std::uint64_t num_bits : {64U, 1000U, 65537U, 1048573U}) {
      std::vector<std::uint64_t> expected;
      for (const auto& location : row.at("locations")) {
        expected.push_back(test::word_of_decimal(location) % num_bits);
      }
      CHECK(GoBitsAndBloomsFilter(num_bits, 7).indices(key) == expected);
    }
  }
}

TEST_CASE("go_bits_and_blooms: a filter equals the program's file and JSON", "[foreign]") {
  REQUIRE(go_vectors().at("filters").size() == 4);
  int num_json = 0;
  for (const auto& vector : go_vectors().at("filters")) {
    CAPTURE(test::text_of(vector.at("m")));
    const GoBitsAndBloomsFilter filter = filled(vector);
    CHECK(filter.serialize() == test::serialized_bytes(vector));
    CHECK(filter.bits().count() == vector.at("ones"));
    if (!vector.contains("json")) continue;
    CHECK(filter.serialize_json() == vector.at("json"));
    ++num_json;
  }
  CHECK(num_json == 3);
}

TEST_CASE("go_bits_and_blooms: the program's file and JSON are read and written unchanged",
          "[foreign]") {
  for (const auto& vector : go_vectors().at("filters")) {
    const std::string bytes = test::serialized_bytes(vector);
    const auto filter = GoBitsAndBloomsFilter::parse(bytes);
    CHECK(filter == filled(vector));
    CHECK(filter.num_bits() == vector.at("m"));
    CHECK(filter.num_hashes() == vector.at("k"));
    for (const auto& [name, key] : test::interop_keys()) CHECK(filter.contains(key));
    CHECK(filter.serialize() == bytes);
    if (!vector.contains("json")) continue;
    CHECK(GoBitsAndBloomsFilter::parse_json(vector.at("json").get<std::string>()) == filter);
  }
}

TEST_CASE("go_bits_and_blooms: sizes equal EstimateParameters' or are refused", "[foreign]") {
  REQUIRE(go_vectors().at("estimate_parameters").size() == 5);
  for (const auto& row : go_vectors().at("estimate_parameters")) {
    CAPTURE(test::text_of(row));
    const auto filter = GoBitsAndBloomsFilter::for_capacity(row.at("n"), row.at("p"));
    CHECK(filter.num_bits() == row.at("m"));
    CHECK(filter.num_hashes() == row.at("k"));
  }
  REQUIRE(go_vectors().at("estimate_parameters_bad_input").size() == 3);
  for (const auto& row : go_vectors().at("estimate_parameters_bad_input")) {
    CAPTURE(test::text_of(row));
    CHECK_THROWS_AS(GoBitsAndBloomsFilter::for_capacity(row.at("n"), row.at("p")), ConfigError);
  }
}

}  // namespace bloometry
