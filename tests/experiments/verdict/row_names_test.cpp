#include "experiments/verdict/row_names.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

using namespace bloometry;

namespace {

RowVerdict row_of(const std::string& variant, const std::string& params, std::uint64_t trial = 0) {
  RowVerdict verdict;
  verdict.row.variant = variant;
  verdict.row.params = params;
  verdict.row.keys = "random";
  verdict.row.hash = "xxh3";
  verdict.row.probes = "remix";
  verdict.row.trial = trial;
  verdict.row.num_inserted = 1'000;
  return verdict;
}

std::vector<std::string> names_of(std::vector<RowVerdict> rows) {
  const Verdict verdict{.rows = std::move(rows)};
  const RowNames names(verdict);
  std::vector<std::string> texts;
  for (const RowVerdict& row : verdict.rows) texts.push_back(names.name(row));
  return texts;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("row_names: properties that all rows of a variant share are omitted", "[verdict]") {
  CHECK(names_of({row_of("standard", "{}"), row_of("blocked", R"({"block_bits":256})")}) ==
        Names{"standard", "blocked"});
}

TEST_CASE("row_names: a filter that grows is named with its initial capacity", "[verdict]") {
  RowVerdict growing = row_of("scalable", "{}");
  growing.context.initial_capacity = 10'000;
  RowVerdict given = row_of("scalable", R"({"initial_capacity":500})");
  given.context.initial_capacity = 500;
  CHECK(names_of({growing}) == Names{"scalable, initial capacity 10,000 keys"});
  CHECK(names_of({given}) == Names{"scalable, initial capacity 500 keys"});
  CHECK(names_of({growing, given}) ==
        Names{"scalable, default parameters, initial capacity 10,000 keys",
              "scalable, initial_capacity = 500"});
}

TEST_CASE("row_names: filters that differ in their window are named with it", "[verdict]") {
  RowVerdict keys = row_of("standard", "{}");
  keys.context.window = StreamWindow{.size = 1, .reinsert = 0.5};
  RowVerdict ticks = row_of("standard", "{}");
  ticks.context.window = StreamWindow{.size = 3, .inserts_per_tick = 1000, .erase = 0.25};
  CHECK(names_of({row_of("standard", "{}"), keys, ticks}) ==
        Names{"standard, no window", "standard, window of 1 key (reinsert 0.5, erase 0)",
              "standard, window of 3 ticks of 1,000 inserts (reinsert 0, erase 0.25)"});
}

TEST_CASE("row_names: filters that differ in their stream are named with it", "[verdict]") {
  RowVerdict cleared = row_of("standard", "{}");
  cleared.context.stream = ItemStream{.zipf = 1, .num_distinct = 1000, .clear_every = 50};
  RowVerdict kept = row_of("standard", "{}");
  kept.context.stream =
      ItemStream{.zipf = 0.5, .num_distinct = 1, .insert = ItemStream::Insert::kAll};
  CHECK(names_of({row_of("standard", "{}"), cleared, kept}) ==
        Names{"standard, no stream",
              "standard, Zipf(1) stream of 1,000 keys (inserts passed items, cleared every 50 "
              "inserts)",
              "standard, Zipf(0.5) stream of 1 key (inserts all items, never cleared)"});
}

TEST_CASE("row_names: keys are called by their label", "[verdict]") {
  Verdict verdict{.rows = {row_of("standard", "{}"), row_of("standard", "{}")}};
  verdict.rows.back().row.keys = "file:words.txt";
  const RowNames names(verdict, {{"file:words.txt", "English"}});
  CHECK(names.name(verdict.rows.front()) == "standard, random keys");
  CHECK(names.name(verdict.rows.back()) == "standard, English keys");
}

TEST_CASE("row_names: rows of a variant are named by what differs between them", "[verdict]") {
  SECTION("parameters") {
    CHECK(names_of({row_of("counting", R"({"counter_bits":2,"saturation":"clamped"})"),
                    row_of("counting", R"({"counter_bits":4,"saturation":"sticky"})"),
                    row_of("counting", "{}"), row_of("standard", "{}")}) ==
          Names{"counting, counter_bits = 2, saturation = clamped",
                "counting, counter_bits = 4, saturation = sticky", "counting, default parameters",
                "standard"});
  }
  SECTION("probes, hash and keys") {
    RowVerdict other = row_of("standard", "{}");
    other.row.probes = "double_mod";
    other.row.hash = "md5";
    other.row.keys = "file:a\nb";
    CHECK(names_of({row_of("standard", "{}"), other}) ==
          Names{"standard, remix probes, xxh3 hash, random keys",
                "standard, double_mod probes, md5 hash, file:a\\nb keys"});
  }
  SECTION("churn") {
    RowVerdict other = row_of("counting", "{}");
    other.context.churn = Churn{.rounds = 25, .erase = 0.52, .reinsert = 0.5};
    CHECK(names_of({row_of("counting", "{}"), other}) ==
          Names{"counting, no churn",
                "counting, churn of 25 rounds (erase 0.52, reinsert 0.5, wrongful erases 0)"});
    RowVerdict third = other;
    third.context.churn = Churn{.rounds = 1, .erase = 0.520001};
    CHECK(names_of({other, third})[1] ==
          "counting, churn of 1 round (erase 0.520001, reinsert 0, wrongful erases 0)");
  }
}

TEST_CASE("row_names: trials of a point are listed in their order", "[verdict]") {
  RowVerdict second = row_of("counting", "{}", 2);
  RowVerdict ninth = row_of("counting", "{}", 9);
  second.row.unit = "b";
  ninth.row.unit = "a";
  CHECK(is_listed_before(second, ninth));
  CHECK_FALSE(is_listed_before(ninth, second));
  RowVerdict larger = second;
  larger.row.num_inserted = 2'000;
  CHECK(is_listed_before(ninth, larger));
}

TEST_CASE("row_names: parameters are listed by number, then as texts", "[verdict]") {
  const auto bits = [](const char* text) {
    return row_of("blocked", R"({"block_bits":)" + std::string(text) + "}");
  };
  CHECK(is_listed_before(bits("256"), bits("1024")));
  CHECK_FALSE(is_listed_before(bits("1024"), bits("256")));
  CHECK(is_listed_before(bits("1024"), bits("\"auto\"")));
  CHECK(is_listed_before(bits("\"auto\""), bits("\"cache\"")));
  CHECK_FALSE(is_listed_before(bits("256"), bits("256")));
}
