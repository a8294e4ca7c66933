#include "experiments/output/unit_line.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/runs/made_up_runs.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::json;

/// Returns a result with a value in every column. Many values are the maximum of their type.
UnitResult full_result() {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  TrialRow row = {.unit = "u",
                  .variant = "counting",
                  .keys = "file:a, \"b\"\n\xc3\xa9.txt",
                  .hash = "xxh3",
                  .probes = "remix",
                  .params = R"({"counter_bits":4})",
                  .trial = 1,
                  .num_inserted = 2,
                  .num_bits = kMax,
                  .num_counters = 3,
                  .num_hashes = 64,
                  .target_false_positive_rate = 0.1,
                  .num_queries = kMax,
                  .num_false_positives = 5,
                  .num_member_queries = 6,
                  .num_false_negatives = 7,
                  .num_ones = 8,
                  .num_passing_pairs = 9,
                  .num_stored = 10,
                  .num_stages = 11,
                  .num_saturated = 12,
                  .num_refused_inserts = 16,
                  .num_refused_erases = 13,
                  .num_wrongful_erases = 14,
                  .num_skipped_decrements = 15,
                  .conditional_false_positive_rate = 1.0 / 3,
                  .num_window_queries = 17,
                  .num_window_violations = 18,
                  .num_expired_queries = 19,
                  .num_expired_retained = 20,
                  .num_expired_present = kMax};
  UnitResult result{.rows = {row}, .timing = {.unit = "u", .engine = "direct"}};
  result.timing.query_s = 1e-9;
  return result;
}

TrialRow read_back(const TrialRow& row) {
  UnitResult result = full_result();
  result.rows = {row};
  return from_line(to_line(result)).rows.front();
}

std::string complaint(const Json& json) {
  return test::message_of<ConfigError>([&] { static_cast<void>(from_line(json.dump())); });
}

Json full_json() {
  Json json = Json::parse(to_line(full_result()));
  json.erase("xxh3_128");
  return json;
}

bool is_refused(const std::string& line) {
  try {
    static_cast<void>(from_line(line));
    require_intact_line(line);
  } catch (const ConfigError&) {
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("unit_line: a unit is read back unchanged", "[output][unit_line]") {
  const UnitResult result = full_result();
  const UnitResult again = from_line(to_line(result));
  REQUIRE(again.rows == result.rows);
  REQUIRE(again.timing.unit == "u");
  REQUIRE(again.timing.query_s == 1e-9);
}

TEST_CASE("unit_line: absent columns are read back as absent", "[output][unit_line]") {
  TrialRow row;
  row.unit = "u";
  REQUIRE(read_back(row) == row);
  REQUIRE_FALSE(read_back(row).num_counters);
  REQUIRE_FALSE(read_back(row).target_false_positive_rate);
}

TEST_CASE("unit_line: doubles read back exactly", "[output][unit_line]") {
  TrialRow row = full_result().rows.front();
  for (const double rate : {0.0, 1.0, 5e-324, 2.2250738585072014e-308, 0.1 + 0.2, 1e-300,
                            0.0006431826119679999, 1 - 0x1p-53}) {
    row.conditional_false_positive_rate = rate;
    REQUIRE(read_back(row) == row);
  }
}

TEST_CASE("unit_line: a unit is a single line", "[output][unit_line]") {
  const std::string line = to_line(full_result());
  REQUIRE(line.find('\n') == line.size() - 1);
}

TEST_CASE("unit_line: a change of any byte of a line is refused", "[output][unit_line]") {
  const std::string line = to_line(full_result());
  REQUIRE_FALSE(is_refused(line));
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    for (const char byte : {'0', '7', 'a', '"', ' ', ','}) {
      std::string changed = line;
      changed[i] = byte;
      INFO(i << ": " << changed);
      REQUIRE((changed == line || is_refused(changed)));
    }
  }
}

TEST_CASE("unit_line: a line of an older version without a checksum is accepted",
          "[output][unit_line]") {
  REQUIRE_FALSE(is_refused(full_json().dump()));
  Json other = full_json();
  other["xxh3_128"] = "short";
  REQUIRE(is_refused(other.dump()));
}

TEST_CASE("unit_line: invalid units are refused", "[output][unit_line]") {
  REQUIRE(complaint(Json::array()) ==
          "a unit must be an object with the members rows and timing, got []");
  Json json = full_json();
  SECTION("no rows") {
    json["rows"] = Json::array();
    REQUIRE(complaint(json) == "/rows: must be a list of at least one row, got []");
  }
  SECTION("a row that is not an object") {
    json["rows"][0] = 7;
    REQUIRE(complaint(json) == "/rows/0: must be an object, got 7");
  }
  SECTION("a missing column") {
    json["rows"][0].erase("num_queries");
    REQUIRE(complaint(json) ==
            "/rows/0/num_queries: must be given: a whole number in [0, 2^64 - 1]");
  }
  SECTION("a column of another type") {
    json["rows"][0]["num_saturated"] = -1;
    REQUIRE(complaint(json) ==
            "/rows/0/num_saturated: must be a whole number in [0, 2^64 - 1], got -1");
  }
  SECTION("an unknown column") {
    json["rows"][0]["num_moons"] = 1;
    REQUIRE(complaint(json).starts_with("/rows/0/num_moons: unknown column, allowed: unit, "));
  }
  SECTION("rows of another unit") {
    json["rows"][0]["unit"] = "v";
    REQUIRE(complaint(json).starts_with("/rows/0/unit: must be that of /timing, '"));
    REQUIRE(complaint(json).ends_with("', got 'v'"));
  }
  SECTION("not JSON") {
    const auto read = [](const char* line) {
      return test::message_of<ConfigError>([&] { static_cast<void>(from_line(line)); });
    };
    REQUIRE(read("{\"rows\":").starts_with("must be JSON at column 9: unexpected end of input"));
    REQUIRE(read("").starts_with("must be JSON at column 1: unexpected end of input"));
    REQUIRE(read("\xff\xfe").starts_with("must be JSON at column 1: "));
    REQUIRE(read("1e999").starts_with("must be JSON: number overflow"));
    for (const char* line : {"{\"rows\":", "", "\xff\xfe", "1e999"}) {
      REQUIRE_FALSE(test::contains_text(read(line), "json.exception"));
    }
  }
}

TEST_CASE("unit_line: a histogram is read back, and may be absent", "[output][unit_line]") {
  TrialRow row = full_result().rows.front();
  REQUIRE_FALSE(full_json().at("rows").front().contains("set_probe_counts"));
  REQUIRE(read_back(row).set_probe_counts.empty());  // lines of older versions lack the field
  row.set_probe_counts = {1, 0, std::numeric_limits<std::uint64_t>::max()};
  REQUIRE(read_back(row) == row);
}

TEST_CASE("unit_line: an invalid histogram is refused", "[output][unit_line]") {
  for (const Json& wrong : {Json(3), Json::array(), Json{1, -1}, Json{1, 0.5}, Json{1, "2"}}) {
    Json json = full_json();
    json["rows"][0]["set_probe_counts"] = wrong;
    INFO(wrong.dump());
    REQUIRE(
        complaint(json) ==
        "/rows/0/set_probe_counts: must be a list of at least one whole number in [0, 2^64 - 1], "
        "got " +
            wrong.dump());
  }
}

}  // namespace bloometry
