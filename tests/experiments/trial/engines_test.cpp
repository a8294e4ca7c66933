#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "experiments/trial/buffer_pool.hpp"
#include "experiments/trial/run_unit.hpp"
#include "experiments/workload/digest_store.hpp"
#include "tests/experiments/unit/unit_factory.hpp"
#include "tests/experiments/workload/temporary_key_file.hpp"
#include "tests/support/catch.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

struct EngineRun {
  std::vector<TrialRow> rows;
  std::string engine;
};

EngineRun run_with(const Unit& unit, Engine engine, std::uint64_t max_bytes = 1 << 24) {
  DigestStore store(max_bytes);
  store.reserve(unit);
  BufferPool buffers;
  const TrialContext context{.engine = engine, .digests = &store, .buffers = &buffers};
  const auto result = run_unit(unit, context);
  REQUIRE(result.has_value());
  REQUIRE(result->rows.size() == unit.points.size());
  return {result->rows, result->timing.engine};
}

/// Runs all three engines and requires that their rows are equal. Returns the rows.
std::vector<TrialRow> require_engines_agree(const Unit& unit) {
  const std::vector<TrialRow> rows = run_with(unit, Engine::kNaive).rows;
  const std::vector<TrialRow> from_direct = run_with(unit, Engine::kDirect).rows;
  const std::vector<TrialRow> from_auto = run_with(unit, Engine::kAuto).rows;
  INFO(unit.variant << " " << unit.probes << " " << unit.keys.name);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    INFO("n " << rows[i].num_inserted << " k " << rows[i].num_hashes.value_or(0) << " queries "
              << rows[i].num_queries);
    REQUIRE(rows[i].num_false_positives == from_auto[i].num_false_positives);
    REQUIRE(rows[i] == from_direct[i]);
    REQUIRE(rows[i] == from_auto[i]);
    if (!unit.churn) REQUIRE(rows[i].num_false_negatives == 0);
  }
  return rows;
}

/// Returns a unit with random parameters that the scheme supports.
Unit random_unit(const std::string& variant, const SchemeInfo& scheme, test::TestNumbers& numbers) {
  const VariantInfo& info = find_variant(variant);
  const unsigned max_hashes = numbers.below(4) == 0 ? 64 : 18;
  const std::uint64_t num_bits = 64 * (1 + numbers.below(numbers.below(2) == 0 ? 4 : 60));
  std::vector<Point> points;
  const std::uint64_t num_points = 1 + numbers.below(40);
  for (std::uint64_t i = 0; i < num_points; ++i) {
    points.push_back({numbers.below(numbers.below(2) == 0 ? 10 : 300),
                      std::clamp(1 + static_cast<unsigned>(numbers.below(max_hashes)),
                                 info.min_num_hashes, info.max_num_hashes),
                      numbers.below(3) == 0 ? numbers.below(50) : 1000});
  }
  Unit unit = test::small_unit(variant, num_bits, std::move(points), std::string(scheme.name));
  if (variant == "variable_increment" || variant == "counting") unit.spec.num_bits = num_bits * 64;
  if (info.can(Operation::kTick)) {
    // A window of at least 351 insert calls, which contains the keys of all points, and parts of
    // at least 64 bits, which have room for distinct probes.
    unit.spec.params["generation_capacity"] = 50.0;
    unit.spec.num_bits = num_bits * 64;
  }
  unit.keys = test::synthetic_source(static_cast<KeySource::Kind>(numbers.below(4)));
  unit.trial = numbers.below(3);
  unit.root_seed = numbers.below(100);
  return unit;
}

/// Returns a window of up to 100 insert calls or 10 ticks, with erases if the variant can erase.
StreamWindow random_window(const VariantInfo& variant, test::TestNumbers& numbers) {
  StreamWindow window{.size = 1 + numbers.below(100)};
  if (numbers.below(3) == 0) {
    window = {.size = 1 + numbers.below(10), .inserts_per_tick = 1 + numbers.below(50)};
  }
  if (numbers.below(2) == 0) window.reinsert = 0.01 * static_cast<double>(numbers.below(101));
  if (variant.can(Operation::kErase) && numbers.below(2) == 0) {
    window.erase = 0.01 * static_cast<double>(numbers.below(101));
  }
  return window;
}

ItemStream random_stream(test::TestNumbers& numbers) {
  return {.zipf = 0.1 * static_cast<double>(1 + numbers.below(20)),
          .num_distinct = 1 + numbers.below(400),
          .insert = numbers.below(2) == 0 ? ItemStream::Insert::kPassed : ItemStream::Insert::kAll,
          .clear_every = numbers.below(2) * numbers.below(200)};
}

}  // namespace

TEST_CASE("engines: equal rows for random windows of every variant and scheme",
          "[experiments][trial]") {
  test::TestNumbers numbers(2);
  for (const VariantInfo& variant : all_variant_infos()) {
    for (const SchemeInfo& scheme : variant.schemes) {
      for (int repeat = 0; repeat < 4; ++repeat) {
        Unit unit = random_unit(std::string(variant.name), scheme, numbers);
        unit.window = random_window(variant, numbers);
        for (const TrialRow& row : require_engines_agree(unit)) {
          REQUIRE(row.num_window_queries.has_value());
          if (!variant.can(Operation::kTick) || !unit.window->is_in_ticks()) {
            REQUIRE(row.num_window_violations == 0U);
          }
        }
        REQUIRE(run_with(unit, Engine::kAuto).engine == "direct");
      }
    }
  }
}

TEST_CASE("engines: equal rows for random streams of items", "[experiments][trial]") {
  test::TestNumbers numbers(3);
  for (const VariantInfo& variant : all_variant_infos()) {
    if (variant.is_limited || variant.can(Operation::kGrow)) continue;
    for (const SchemeInfo& scheme : variant.schemes) {
      for (int repeat = 0; repeat < 4; ++repeat) {
        Unit unit = random_unit(std::string(variant.name), scheme, numbers);
        unit.stream = random_stream(numbers);
        for (const TrialRow& row : require_engines_agree(unit)) {
          REQUIRE(row.num_originals.value() + row.num_duplicates.value() == row.num_inserted);
          REQUIRE(row.num_lost_duplicates == 0U);
          REQUIRE(row.num_false_negatives == 0U);
        }
        REQUIRE(run_with(unit, Engine::kAuto).engine == "direct");
      }
    }
  }
}

TEST_CASE("engines: equal rows for random units of every variant and scheme",
          "[experiments][trial]") {
  test::TestNumbers numbers(1);
  for (const VariantInfo& variant : all_variant_infos()) {
    for (const SchemeInfo& scheme : variant.schemes) {
      for (int repeat = 0; repeat < 6; ++repeat) {
        require_engines_agree(random_unit(std::string(variant.name), scheme, numbers));
      }
    }
  }
}

TEST_CASE("engines: equal rows on a full grid", "[experiments][trial]") {
  std::vector<std::uint64_t> num_inserted;
  for (std::uint64_t n = 0; n <= 1000; n += 100) num_inserted.push_back(n);
  const std::vector<unsigned> ks = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  for (const std::uint64_t num_bits : {500U, 2'000U, 10'000U, 1'000'000U}) {
    const Unit unit = test::small_unit("standard", num_bits, test::grid(num_inserted, ks, 20'000));
    require_engines_agree(unit);
    REQUIRE(run_with(unit, Engine::kAuto).engine == "checkpoint_index");
  }
}

TEST_CASE("engines: equal rows for k = 1..16 and more checkpoints than a word has",
          "[experiments][trial]") {
  std::vector<std::uint64_t> num_inserted;
  for (std::uint64_t n = 0; n < 40; ++n) num_inserted.push_back(n * n);
  std::vector<unsigned> ks;
  for (unsigned k = 1; k <= 16; ++k) ks.push_back(k);
  for (const std::uint64_t num_bits : {1U, 2U, 7U, 63U, 1'000U, 20'000U}) {
    require_engines_agree(
        test::small_unit("standard", num_bits, test::grid(num_inserted, ks, 500)));
  }
}

TEST_CASE("engines: k above 16 uses the filter class in addition to the checkpoint index",
          "[experiments][trial]") {
  const Unit unit = test::small_unit("standard", 5'000,
                                     test::grid({0, 10, 100, 300}, {1, 5, 16, 17, 40, 64}, 3'000));
  require_engines_agree(unit);
  REQUIRE(run_with(unit, Engine::kAuto).engine == "checkpoint_index+direct");
}

TEST_CASE("engines: points with different numbers of queries", "[experiments][trial]") {
  // Points with larger k have more queries, as in a config with a relative error. All numbers of
  // queries differ. One number of queries is 0, and some numbers exceed the size of a block.
  std::vector<Point> points;
  for (const std::uint64_t n : {50U, 100U, 200U}) {
    for (unsigned k = 1; k <= 8; ++k) {
      points.push_back({n, k, n == 50 && k == 1 ? 0 : k * k * 400 + n});
    }
  }
  for (const char* probes : {"remix", "distinct", "double_mod"}) {
    require_engines_agree(test::small_unit("standard", 1'000, points, probes));
  }
}

TEST_CASE("engines: one (n, k) with several numbers of queries", "[experiments][trial]") {
  const Unit unit = test::small_unit(
      "standard", 300, {{40, 3, 10}, {40, 3, 1'000}, {40, 3, 9'000}, {40, 4, 500}, {80, 3, 10}});
  require_engines_agree(unit);
}

TEST_CASE("engines: more members than are sampled", "[experiments][trial]") {
  const Unit unit =
      test::small_unit("standard", 200'000, test::grid({9'999, 10'001, 30'000}, {1, 4, 9}, 5'000));
  const auto rows = require_engines_agree(unit);
  REQUIRE(rows.front().num_member_queries == 9'999);
  REQUIRE(rows.back().num_member_queries == 10'000);
}

TEST_CASE("engines: equal rows for file keys", "[experiments][trial]") {
  const test::TemporaryKeyFile file(test::numbered_lines(3'000));
  Unit unit = test::small_unit("standard", 2'000, test::grid({10, 100, 500}, {1, 3, 7}, 2'000));
  unit.keys = file.source();
  const auto rows = require_engines_agree(unit);
  SECTION("rows do not depend on other units in the store") {
    Unit larger = unit;
    larger.points = test::grid({1'000}, {2, 3, 4, 5}, 1'500);
    larger.id = "larger";
    DigestStore store(1 << 24);
    store.reserve(larger);
    store.reserve(unit);
    const TrialContext context{.engine = Engine::kAuto, .digests = &store};
    REQUIRE(run_unit(larger, context).has_value());
    REQUIRE(run_unit(unit, context)->rows == rows);
  }
}

TEST_CASE("engines: query digests beyond the budget do not change rows", "[experiments][trial]") {
  const Unit unit = test::small_unit("standard", 3'000, test::grid({0, 200}, {1, 2, 6}, 30'000));
  REQUIRE(run_with(unit, Engine::kAuto, 0).rows == run_with(unit, Engine::kNaive).rows);
  REQUIRE(run_with(unit, Engine::kDirect, 0).rows == run_with(unit, Engine::kNaive).rows);
}

TEST_CASE("engines: more distinct probes than positions are refused", "[experiments][trial]") {
  const Unit unit =
      test::small_unit("standard", 5, test::grid({0, 1, 2, 3}, {1, 5, 6}, 100), "distinct");
  for (const Engine engine : {Engine::kAuto, Engine::kDirect, Engine::kNaive}) {
    DigestStore store(1 << 20);
    REQUIRE_THROWS_AS(run_unit(unit, {.engine = engine, .digests = &store}), ConfigError);
  }
  require_engines_agree(
      test::small_unit("standard", 5, test::grid({0, 1, 2, 3}, {1, 4, 5}, 100), "distinct"));
}

TEST_CASE("engines: equal rows after churn", "[experiments][trial]") {
  test::TestNumbers numbers(2);
  for (const char* variant : {"counting", "variable_increment"}) {
    for (const double wrongful : {0.0, 0.3}) {
      for (int repeat = 0; repeat < 4; ++repeat) {
        Unit unit = test::small_unit(
            variant, 64 * (20 + numbers.below(60)),
            test::grid({0, 1, 20, 150}, {1, 2 + static_cast<unsigned>(numbers.below(6))}, 2'000));
        unit.churn = Churn{.rounds = numbers.below(8),
                           .erase = 0.1 * static_cast<double>(numbers.below(11)),
                           .reinsert = 0.1 * static_cast<double>(numbers.below(11)),
                           .wrongful_erases = wrongful};
        unit.trial = numbers.below(5);
        require_engines_agree(unit);
      }
    }
  }
}

TEST_CASE("engines: full filters refuse keys, and their members are all found",
          "[experiments][trial]") {
  for (const std::string variant : {"d_left", "cuckoo"}) {
    const unsigned k = variant == "cuckoo" ? 2 : 4;
    Unit unit = test::small_unit(
        variant, 1, {{100, k, 50}, {500, k, 50}, {700, k, 50}, {2000, k, 50}}, "digest_words");
    unit.spec.num_bits.reset();
    unit.spec.num_counters = 512;
    const std::vector<TrialRow> rows = require_engines_agree(unit);
    CHECK(rows[0].num_refused_inserts == 0U);
    for (const TrialRow& row : rows) {
      const std::uint64_t num_accepted = row.num_inserted - row.num_refused_inserts.value();
      // Some keys of a d-left filter may share a cell.
      CHECK(row.num_ones <= num_accepted);
      CHECK(row.num_ones + 5 >= num_accepted);
      CHECK(row.num_member_queries == num_accepted);
    }
    CHECK(rows[3].num_refused_inserts.value() + 5 >= 2000 - 512);

    SECTION("also while keys come and go in " + variant) {
      unit.churn = Churn{.rounds = 3, .erase = 0.1, .reinsert = 0.1};
      for (const TrialRow& row : require_engines_agree(unit)) {
        CHECK(row.num_false_negatives == 0);
        CHECK(row.num_member_queries == row.num_stored);
        CHECK(row.num_stored.value() + 5 >= row.num_ones);
        if (row.num_inserted > 512) CHECK(row.num_refused_inserts.value() > 0);
      }
    }
  }
}

TEST_CASE("engines: rows of filters without limit do not count refused inserts",
          "[experiments][trial]") {
  const Unit unit = test::small_unit("counting", 1000, {{100, 3, 50}});
  CHECK_FALSE(require_engines_agree(unit).front().num_refused_inserts);
}

}  // namespace bloometry
