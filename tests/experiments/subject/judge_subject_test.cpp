#include "experiments/subject/judge_subject.hpp"

#include <string>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/subject/claim.hpp"
#include "test_folders.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/test_seed.hpp"
#include "variants/registry/registry.hpp"
#include "variants/split_block/split_block_rates.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

/// Compares an entry of tests/zoo with theory. Each of the seventeen tests of correct entries
/// rejects with probability at most 1e-6. The probability that any of these tests rejects is at
/// most 2e-5.
SubjectVerdict judge_zoo(const std::string& name, const Claim& claim,
                         const SubjectSettings& settings = {}) {
  Subject subject({.command = std::string("'") + kZooProgram + "' " + name},
                  SubjectKeys("random", KeyEncoding::kHex, test_seed()));
  return judge_subject(subject, claim, settings, nullptr);
}

Claim standard_claim(std::uint64_t n, std::uint64_t m, unsigned k) {
  return make_claim("standard", {.num_cells = m, .num_hashes = k}, ProbeModel::kWithReplacement, n);
}

Claim blocked_claim(std::uint64_t n, std::uint64_t num_blocks, unsigned k) {
  return make_claim("blocked", {.num_cells = 512 * num_blocks, .num_hashes = k, .block_cells = 512},
                    ProbeModel::kWithReplacement, n);
}

Claim split_block_claim(std::uint64_t n, std::uint64_t num_blocks) {
  return make_claim("split_block",
                    {.num_cells = 256 * num_blocks, .num_hashes = 8, .block_cells = 256},
                    ProbeModel::kPartitioned, n);
}

Claim lanes_claim(std::uint64_t n, std::uint64_t num_blocks) {
  return make_claim("lanes", {.num_cells = 512 * num_blocks, .num_hashes = 8, .block_cells = 512},
                    ProbeModel::kPartitioned, n);
}

Claim counting_claim() {
  return make_claim("counting", {.num_cells = 2000, .cell_bits = 4, .num_hashes = 4},
                    ProbeModel::kWithReplacement, 300);
}

}  // namespace

TEST_CASE("judge subject: a correct small filter is accepted", "[subject][zoo]") {
  const Claim claim = standard_claim(10, 64, 4);
  const SubjectVerdict verdict = judge_zoo("honest_bits", claim, {.sequential = false});
  INFO(verdict.why());
  CHECK(verdict.accepted());
  REQUIRE(verdict.loads.size() == 3);
  std::uint64_t num_members = 0;
  for (const LoadVerdict& load : verdict.loads) {
    CHECK(load.num_filters == load.plan.num_filters);
    CHECK(load.num_queries == load.plan.num_filters * load.plan.num_queries);
    num_members += load.num_keys * load.num_filters;
  }
  CHECK(verdict.num_member_queries == num_members);
  CHECK(verdict.num_false_negatives == 0);
  CHECK(verdict.num_repeats > verdict.num_filters);
  CHECK(verdict.num_changed_answers == 0);
}

TEST_CASE("judge subject: a zero stride is rejected", "[subject][zoo]") {
  const SubjectVerdict verdict = judge_zoo("zero_stride", standard_claim(10, 64, 4));
  CHECK_FALSE(verdict.accepted());
  CHECK(verdict.p_value.value() < 1e-6);
  CHECK(contains_text(verdict.why(), "absent keys tested positive"));
}

TEST_CASE("judge subject: a filter better than its claim is rejected", "[subject][zoo]") {
  // The subject is correct and has 64 cells, but the claim is for 60 cells.
  Claim claim = standard_claim(10, 60, 4);
  claim.num_cells = 64;
  CHECK_FALSE(judge_zoo("honest_bits", claim, {.loads = {1}}).accepted());
}

TEST_CASE("judge subject: other loads reveal a wrong k that the best k hides", "[subject][zoo]") {
  const Claim claim = standard_claim(1000, 9586, 7);
  const SubjectVerdict fewer = judge_zoo("one_probe_fewer", claim);
  CHECK_FALSE(fewer.accepted());
  CHECK(contains_text(fewer.why(), "consistent with k = 6 instead of 7"));
  CHECK(fewer.hint.find("k = 7") == std::string::npos);
  const SubjectVerdict known = judge_zoo("one_probe_fewer fill", claim);
  CHECK_FALSE(known.accepted());
  CHECK(known.num_filters == 1);
  CHECK(known.num_queries == 0);
  CHECK(known.hint.starts_with("consistent with k = 6 instead of 7"));
  CHECK(contains_text(known.why(), "cells are set"));
}

TEST_CASE("judge subject: fills are tested against their law", "[subject][zoo]") {
  const Claim claim = standard_claim(1000, 9586, 7);
  const SubjectVerdict honest = judge_zoo("honest_bits fill", claim);
  INFO(honest.why());
  CHECK(honest.accepted());
  CHECK(honest.reports_fill);
  for (const LoadVerdict& load : honest.loads) {
    CHECK(load.num_fills >= 2);
    CHECK(load.fill_p_value.value() > 1e-6);
  }
  CHECK_FALSE(judge_zoo("stuck_bit_of_one_probe fill", claim).accepted());
}

TEST_CASE("judge subject: fills of partitioned filters are tested as the sum of their slices",
          "[subject][zoo]") {
  const Claim claim =
      make_claim("partitioned", {.num_cells = 959, .num_hashes = 7}, ProbeModel::kPartitioned, 100);
  const SubjectVerdict honest = judge_zoo("own_partitioned fill", claim, {.loads = {1, 2}});
  INFO(honest.why());
  CHECK(honest.accepted());
  CHECK_FALSE(judge_zoo("one_probe_fewer fill", claim, {.loads = {1}}).accepted());
}

TEST_CASE("judge subject: correct filters of blocks are accepted", "[subject][zoo]") {
  for (const bool sequential : {true, false}) {
    const SubjectSettings settings{.loads = {1, 2}, .sequential = sequential};
    const SubjectVerdict blocked =
        judge_zoo("honest_blocked_512 fill", blocked_claim(1000, 20, 6), settings);
    INFO(blocked.why());
    CHECK(blocked.accepted());
    CHECK_FALSE(blocked.undecided);
    CHECK(blocked.ignores_fill);
    CHECK_FALSE(blocked.reports_fill);
    const SubjectVerdict split =
        judge_zoo("honest_split_block", split_block_claim(1000, 40), settings);
    INFO(split.why());
    CHECK(split.accepted());
    CHECK_FALSE(split.undecided);
    CHECK_FALSE(split.ignores_fill);
  }
}

TEST_CASE("judge subject: the hint states k and the block size of a filter of blocks",
          "[subject][zoo]") {
  const Claim claim = blocked_claim(1000, 20, 6);
  const auto hint = [](const std::string& name, const Claim& of) {
    const SubjectVerdict verdict = judge_zoo(name, of, {.loads = {1, 2}});
    CHECK_FALSE(verdict.accepted());
    return verdict.hint;
  };
  CHECK(contains_text(hint("block_one_probe_fewer", claim), "k = 5 instead of 6"));
  CHECK(contains_text(hint("honest_blocked_256", claim), "blocks of 256 cells instead of 512"));
  CHECK(contains_text(hint("honest_bits", claim), "a filter without blocks"));
  CHECK(contains_text(hint("lane_unused", split_block_claim(1000, 40)), "k = 7 instead of 8"));
}

TEST_CASE("judge subject: a claim of lanes has lanes of 64 bits", "[subject]") {
  const Claim claim = lanes_claim(1000, 20);
  CHECK(claim.law.expected_rate == theory::split_block_rate(1000, 20, {8, 64}));
  const auto rate_of_lanes = [&claim](unsigned num_hashes) {
    return rate_of_kind(
        claim, {.num_cells = 20 * 512, .num_hashes = num_hashes, .block_cells = 512}, 1000);
  };
  CHECK(rate_of_lanes(8) == claim.law.expected_rate);
  CHECK(rate_of_lanes(7) == theory::split_block_rate(1000, 20, {7, 64}));
  CHECK(claim.law.rates.mean() == Approx(claim.law.expected_rate).epsilon(1e-12));
}

TEST_CASE("judge subject: tables of fingerprints are tested with the width of the claim",
          "[subject][zoo]") {
  struct Table {
    std::string variant;
    std::uint64_t num_cells;  // with room for 1,000 keys, but not for 2,000
    std::string correct;
    std::string defect;
    Params params;
  };

  const Table table = GENERATE(Table{"d_left", 1344, "own_d_left", "remainder_one_bit_short", {}},
                               Table{"cuckoo", 1088, "own_cuckoo", "fingerprint_one_bit_short", {}},
                               Table{"cuckoo",
                                     1088,
                                     "own_semi_sorted_cuckoo",
                                     "fingerprint_one_bit_short",
                                     {{"semi_sorting", 1.0}}});
  const FilterSpec spec{.capacity = 1000, .num_counters = table.num_cells, .params = table.params};
  const VariantInfo& info = find_variant(table.variant);
  const Claim claim = make_claim(info.name, info.geometry(spec), ProbeModel::kWithReplacement, 1000,
                                 info.resolved_params(spec));
  const SubjectSettings settings{.goal = {.deviation = 0.3}, .exercises = {.erase = true}};
  const SubjectVerdict correct = judge_zoo(table.correct + " fill", claim, settings);
  INFO(correct.why());
  CHECK(correct.accepted());
  CHECK_FALSE(correct.undecided);
  CHECK(correct.ignores_fill);
  REQUIRE(correct.loads.size() == 3);
  CHECK(correct.loads[1].outcome == LoadVerdict::Outcome::kAccepted);
  CHECK(correct.loads[2].left_out == "the subject answered 'full'");
  const SubjectVerdict narrower = judge_zoo(table.defect, claim, settings);
  CHECK_FALSE(narrower.accepted());
  CHECK(narrower.hint.starts_with("consistent with fingerprints that are 1 bit narrower"));
}

TEST_CASE("judge subject: the hint for a table names only sizes that a table can have",
          "[subject][zoo]") {
  const SubjectSettings many_queries{
      .loads = {1}, .num_filters = 4, .num_queries = 50'000, .sequential = false};
  // 16 subtables would have the rate of two bits less, and one subtable that of two bits more. A
  // table has 2 to 8 subtables.
  const VariantInfo& d_left = find_variant("d_left");
  const auto hint_for = [&](const std::string& name, double remainder_bits) {
    const FilterSpec spec{
        .capacity = 1000, .num_counters = 1344, .params = {{"remainder_bits", remainder_bits}}};
    const Claim claim = make_claim("d_left", d_left.geometry(spec), ProbeModel::kWithReplacement,
                                   1000, d_left.resolved_params(spec));
    return judge_zoo(name, claim, many_queries).hint;
  };
  const std::string narrower = hint_for("remainder_one_bit_short", 15);
  CHECK(contains_text(narrower, "fingerprints that are 2 bits narrower"));
  CHECK_FALSE(contains_text(narrower, "k = "));
  const std::string wider = hint_for("own_d_left", 12);
  CHECK(contains_text(wider, "fingerprints that are 2 bits wider"));
  CHECK_FALSE(contains_text(wider, "k = "));
  const Claim cuckoo =
      make_claim("cuckoo", {.num_cells = 1088, .cell_bits = 12, .num_hashes = 2, .block_cells = 4},
                 ProbeModel::kWithReplacement, 1000);
  // With few queries, the answers also agree with a filter of 1,088 bits and k = 2.
  const SubjectSettings few_queries{
      .loads = {1}, .num_filters = 2, .num_queries = 100, .sequential = false};
  CHECK(judge_zoo("honest_bits", cuckoo, few_queries).hint ==
        "a different width of the fingerprints, k, m or n alone does not explain this");
}

TEST_CASE("judge subject: a table that is full below its keys is rejected", "[subject][zoo]") {
  const Claim claim =
      make_claim("cuckoo", {.num_cells = 800, .cell_bits = 12, .num_hashes = 2, .block_cells = 4},
                 ProbeModel::kWithReplacement, 1000);
  const SubjectVerdict verdict = judge_zoo("own_cuckoo", claim, {.loads = {1}});
  CHECK(verdict.is_full_too_early);
  CHECK_FALSE(verdict.accepted());
}

TEST_CASE("judge subject: a subject that stores nothing is rejected after one filter",
          "[subject][zoo]") {
  const SubjectVerdict verdict = judge_zoo("liar", standard_claim(1000, 9586, 7));
  CHECK_FALSE(verdict.accepted());
  CHECK(verdict.num_filters == 1);
}

TEST_CASE("judge subject: answers must be a function of the key", "[subject][zoo]") {
  const SubjectVerdict verdict =
      judge_zoo("coin_for_absent_keys", standard_claim(1000, 9586, 7), {.loads = {1}});
  CHECK_FALSE(verdict.accepted());
  CHECK(verdict.num_false_negatives == 0);
  CHECK(verdict.num_changed_answers > 0);
  CHECK(contains_text(verdict.why(), "were answered differently"));
}

TEST_CASE("judge subject: rates near 1 are decided", "[subject][zoo]") {
  for (const Claim& claim : {standard_claim(1000, 1000, 5), standard_claim(100, 100, 64)}) {
    const SubjectVerdict verdict = judge_zoo("honest_bits", claim);
    INFO(verdict.why());
    CHECK(verdict.accepted());
    CHECK_FALSE(verdict.undecided);
  }
}

TEST_CASE("judge subject: a load at which the subject answers full is left out", "[subject][zoo]") {
  const SubjectVerdict verdict = judge_zoo("full_beyond_capacity", standard_claim(100, 959, 7));
  INFO(verdict.why());
  CHECK(verdict.accepted());
  CHECK_FALSE(verdict.undecided);
  REQUIRE(verdict.loads.size() == 3);
  CHECK(verdict.loads[1].left_out.empty());
  CHECK(verdict.loads[2].left_out == "the subject answered 'full'");
  // The claim has more keys than the subject accepts.
  Claim claim = standard_claim(100, 959, 7);
  const SubjectVerdict early = judge_zoo("full_at_half_capacity", claim, {.loads = {0.25, 1}});
  CHECK_FALSE(early.accepted());
  CHECK(contains_text(early.why(), "full before it contains 100 of the 100 claimed keys"));
}

TEST_CASE("judge subject: sequential tests need few queries for gross errors", "[subject][zoo]") {
  const Claim claim = standard_claim(100, 959, 7);
  const SubjectVerdict verdict = judge_zoo("k_by_integer_division", standard_claim(100, 290, 2),
                                           {.loads = {1}, .sequential = true});
  CHECK_FALSE(verdict.accepted());
  CHECK(verdict.num_queries <
        verdict.loads[0].plan.num_filters * verdict.loads[0].plan.num_queries);
  const SubjectVerdict honest = judge_zoo("honest_bits", claim, {.loads = {1}, .sequential = true});
  INFO(honest.why());
  CHECK(honest.accepted());
  CHECK(honest.loads[0].outcome == LoadVerdict::Outcome::kAccepted);
}

TEST_CASE("judge subject: lost members are rejected at once", "[subject][zoo]") {
  const SubjectVerdict verdict =
      judge_zoo("merge_into_nothing", standard_claim(100, 959, 7), {.exercises = {.merge = true}});
  CHECK_FALSE(verdict.accepted());
  CHECK(verdict.num_filters == 1);
  CHECK(verdict.p_value.value_or(1) > 1e-6);
  CHECK(verdict.num_false_negatives > 2);
  CHECK(contains_text(verdict.why(), "members queried in filter 1, which holds 25 keys, are not"));
}

TEST_CASE("judge subject: merge, erase and saturation of counters are tested", "[subject][zoo]") {
  const Claim claim = counting_claim();
  const SubjectSettings all{.exercises = {.merge = true, .erase = true, .saturation = true}};
  const SubjectVerdict honest = judge_zoo("honest_counters", claim, all);
  INFO(honest.why());
  CHECK(honest.accepted());
  const SubjectSettings saturation{.exercises = {.saturation = true}};
  CHECK_FALSE(judge_zoo("stuck_counter_decremented", claim, saturation).accepted());
  CHECK_FALSE(judge_zoo("counter_carries_over", claim, saturation).accepted());
  const SubjectVerdict unchecked =
      judge_zoo("erase_without_check", claim, {.exercises = {.erase = true}});
  CHECK(unchecked.num_wrongful_erases > 0);
  CHECK(contains_text(unchecked.why(), "keys that the filter calls absent were erased"));
  const SubjectVerdict refusing = judge_zoo("honest_bits", claim, {.exercises = {.erase = true}});
  CHECK(refusing.num_refused_erases == 75 / 4 + 1);
  CHECK_FALSE(refusing.accepted());
}

TEST_CASE("judge subject: queries at most max_member_queries members per filter",
          "[subject][zoo]") {
  const SubjectVerdict verdict = judge_zoo("honest_bits", standard_claim(1000, 9586, 7),
                                           {.loads = {1},
                                            .num_filters = 2,
                                            .num_queries = 100,
                                            .max_member_queries = 10,
                                            .sequential = false});
  CHECK(verdict.num_member_queries == 20);
}

TEST_CASE("judge subject: a claim without a known law is refused", "[subject]") {
  CHECK(contains_text(message_of<ConfigError>(
                          [] { static_cast<void>(make_claim("variable_increment", {}, {}, 10)); }),
                      "claim must be " + joined_by_or(claimable_variants()) +
                          ", got 'variable_increment': neither the distribution of its rates"));
  CHECK(message_of<ConfigError>([] { static_cast<void>(standard_claim(0, 10, 1)); }) ==
        "num_keys must be at least 1, got 0");
}
