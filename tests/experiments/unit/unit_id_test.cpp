#include "experiments/unit/unit_id.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

Unit golden_unit() {
  Unit unit;
  unit.variant = "counting";
  unit.keys = {.kind = KeySource::Kind::kFile,
               .name = "file:words.txt",
               .path = "/somewhere/words.txt",
               .content_hash = "0123456789abcdef0123456789abcdef"};
  unit.hash = "xxh3";
  unit.probes = "remix";
  unit.spec.num_counters = 1'000'000;
  unit.params = R"({"counter_bits":4,"saturation":"sticky"})";
  unit.churn = Churn{.rounds = 10, .erase = 0.2, .reinsert = 0.5, .wrongful_erases = 0.01};
  unit.root_seed = 20261120;
  unit.trial = 3;
  unit.points = {{1000, 4, 100'000}, {2000, 4, 100'000}};
  return unit;
}

}  // namespace

TEST_CASE("unit_id: the canonical text is frozen", "[unit][golden]") {
  // A change of the canonical text invalidates every run folder. Change the text only if the rows
  // change, and increase kRowsVersion in the same commit.
  REQUIRE(unit_text(golden_unit()) == R"(bloometry unit
rows_version=1
root_seed=20261120
variant="counting"
keys="file:words.txt"
content_hash="0123456789abcdef0123456789abcdef"
hash="xxh3"
probes="remix"
size=num_counters=1000000
params={"counter_bits":4,"saturation":"sticky"}
churn=10,0.2,0.5,0.01
trial=3
point=1000,4,100000
point=2000,4,100000
)");
}

TEST_CASE("unit_id: the id is frozen", "[unit][golden]") {
  // The id is the output of `xxhsum -H2` for the canonical text above.
  REQUIRE(unit_id(golden_unit()) == "f16fc772158e79636356e0619159e8d9");
}

TEST_CASE("unit_id: a window adds one line, and its absence none", "[unit][golden]") {
  Unit unit = golden_unit();
  const std::string without = unit_text(unit);
  REQUIRE(without.find("window") == std::string::npos);
  unit.window = StreamWindow{.size = 100, .reinsert = 0.25, .erase = 0.125};
  std::string text = unit_text(unit);
  REQUIRE(text.find("\nwindow=keys,100,0,0.25,0.125\n") != std::string::npos);
  text.erase(text.find("window=keys"), std::string("window=keys,100,0,0.25,0.125\n").size());
  REQUIRE(text == without);
  unit.window = StreamWindow{.size = 3, .inserts_per_tick = 50};
  REQUIRE(unit_text(unit).find("\nwindow=ticks,3,50,0,0\n") != std::string::npos);
}

TEST_CASE("unit_id: a stream of items adds one line, and its absence none", "[unit][golden]") {
  Unit unit = golden_unit();
  const std::string without = unit_text(unit);
  REQUIRE(without.find("stream") == std::string::npos);
  unit.stream = ItemStream{.zipf = 1.5, .num_distinct = 100, .clear_every = 7};
  std::string text = unit_text(unit);
  const std::string line = "stream=1.5,100,passed,7\n";
  REQUIRE(text.find("\n" + line) != std::string::npos);
  text.erase(text.find(line), line.size());
  REQUIRE(text == without);
}

TEST_CASE("unit_id: changes with everything that determines the rows", "[unit][unit_id]") {
  const std::vector<std::function<void(Unit&)>> changes = {
      [](Unit& unit) { unit.variant = "variable_increment"; },
      [](Unit& unit) { unit.keys.name = "file:other.txt"; },
      [](Unit& unit) { unit.keys.content_hash[0] = 'f'; },
      [](Unit& unit) { unit.hash = "murmur64a"; },
      [](Unit& unit) { unit.probes = "distinct"; },
      [](Unit& unit) { unit.spec.num_counters = 1'000'001; },
      [](Unit& unit) { unit.spec = {.num_bits = 1'000'000}; },
      [](Unit& unit) { unit.params = "{}"; },
      [](Unit& unit) { unit.churn.reset(); },
      [](Unit& unit) { unit.churn->rounds = 11; },
      [](Unit& unit) { unit.churn->erase = 0.21; },
      [](Unit& unit) { unit.churn->reinsert = 0.51; },
      [](Unit& unit) { unit.churn->wrongful_erases = 0; },
      [](Unit& unit) { unit.window = StreamWindow{.size = 9}; },
      [](Unit& unit) { unit.window = StreamWindow{.size = 10}; },
      [](Unit& unit) { unit.window = StreamWindow{.size = 9, .inserts_per_tick = 9}; },
      [](Unit& unit) { unit.window = StreamWindow{.size = 9, .reinsert = 0.5}; },
      [](Unit& unit) { unit.window = StreamWindow{.size = 9, .erase = 0.5}; },
      [](Unit& unit) { unit.stream = ItemStream{.zipf = 1, .num_distinct = 9}; },
      [](Unit& unit) { unit.stream = ItemStream{.zipf = 2, .num_distinct = 9}; },
      [](Unit& unit) { unit.stream = ItemStream{.zipf = 1, .num_distinct = 10}; },
      [](Unit& unit) { unit.stream = ItemStream{.zipf = 1, .num_distinct = 9, .clear_every = 1}; },
      [](Unit& unit) {
        unit.stream = {.zipf = 1, .num_distinct = 9, .insert = ItemStream::Insert::kAll};
      },
      [](Unit& unit) { unit.root_seed = 1; },
      [](Unit& unit) { unit.trial = 4; },
      [](Unit& unit) { unit.points.pop_back(); },
      [](Unit& unit) { unit.points[0].num_inserted = 1001; },
      [](Unit& unit) { unit.points[0].num_hashes = 5; },
      [](Unit& unit) { unit.points[0].num_queries = 1; }};
  std::vector<std::string> ids = {unit_id(golden_unit())};
  for (const auto& change : changes) {
    Unit unit = golden_unit();
    change(unit);
    const std::string id = unit_id(unit);
    REQUIRE(std::find(ids.begin(), ids.end(), id) == ids.end());
    ids.push_back(id);
  }
}

TEST_CASE("unit_id: does not depend on the path of the key file", "[unit][unit_id]") {
  Unit unit = golden_unit();
  unit.keys.path = "/elsewhere/words.txt";
  REQUIRE(unit_id(unit) == unit_id(golden_unit()));
}

TEST_CASE("unit_id: names cannot add lines to the canonical text", "[unit][unit_id]") {
  Unit unit = golden_unit();
  unit.keys.name = "file:a\"\nhash=\"b";
  REQUIRE(unit_text(unit).find("\nhash=\"b") == std::string::npos);
}

}  // namespace bloometry
