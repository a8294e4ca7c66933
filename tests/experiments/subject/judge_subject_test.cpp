#include "experiments/subject/judge_subject.hpp"

#include <string>

#include "core/error.hpp"
#include "experiments/subject/claim.hpp"
#include "test_folders.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/test_seed.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

/// An inhabitant of tests/zoo held against theory. The tests of honest ones together reject with
/// probability at most 1e-5: five of them, at 1e-6 each.
SubjectVerdict judge_zoo(const std::string& name, const Claim& claim,
                         const SubjectSettings& settings = {}) {
  Subject subject({.command = std::string("'") + kZooProgram + "' " + name},
                  SubjectKeys(KeyForm::kHex, test_seed()));
  return judge_subject(subject, claim, settings, nullptr);
}

Claim standard_claim(std::uint64_t n, std::uint64_t m, unsigned k) {
  return make_claim("standard", {.num_cells = m, .num_hashes = k}, ProbeModel::kWithReplacement, n);
}

Claim counting_claim() {
  return make_claim("counting", {.num_cells = 2000, .cell_bits = 4, .num_hashes = 4},
                    ProbeModel::kWithReplacement, 300);
}

}  // namespace

TEST_CASE("judge subject: an honest filter is accepted, however small", "[subject][zoo]") {
  const Claim claim = standard_claim(10, 64, 4);
  const SubjectVerdict verdict = judge_zoo("honest_bits", claim);
  INFO(verdict.why);
  CHECK(verdict.accepted());
  CHECK(verdict.num_filters == verdict.plan.num_filters);
  CHECK(verdict.num_queries == verdict.plan.num_filters * verdict.plan.num_queries);
  CHECK(verdict.num_member_queries == 10 * verdict.num_filters);
  CHECK(verdict.num_false_negatives == 0);
}

TEST_CASE("judge subject: a zero stride is rejected", "[subject][zoo]") {
  const SubjectVerdict verdict = judge_zoo("zero_stride", standard_claim(10, 64, 4));
  CHECK_FALSE(verdict.accepted());
  CHECK(verdict.p_value.value() < 1e-6);
  CHECK(contains_text(verdict.why, "absent keys tested positive"));
}

TEST_CASE("judge subject: a filter better than its claim is rejected too", "[subject][zoo]") {
  // The subject is asked for 64 cells and honest; the claim says 60.
  Claim claim = standard_claim(10, 60, 4);
  claim.num_cells = 64;
  CHECK_FALSE(judge_zoo("honest_bits", claim).accepted());
}

TEST_CASE("judge subject: sequentially, gross errors take few queries", "[subject][zoo]") {
  const Claim claim = standard_claim(100, 959, 7);
  const SubjectVerdict verdict =
      judge_zoo("k_by_integer_division", standard_claim(100, 290, 2), {.sequential = true});
  CHECK_FALSE(verdict.accepted());
  CHECK(verdict.num_queries < verdict.plan.num_filters * verdict.plan.num_queries);
  const SubjectVerdict honest = judge_zoo("honest_bits", claim, {.sequential = true});
  INFO(honest.why);
  CHECK(honest.accepted());
  CHECK(honest.decided_by.starts_with("a deviation"));
}

TEST_CASE("judge subject: lost members reject at once", "[subject][zoo]") {
  const SubjectVerdict verdict =
      judge_zoo("merge_into_nothing", standard_claim(100, 959, 7), {.exercises = {.merge = true}});
  CHECK_FALSE(verdict.accepted());
  CHECK(verdict.num_filters == 1);
  CHECK(verdict.num_queries == 0);
  CHECK_FALSE(verdict.p_value.has_value());
  CHECK(verdict.num_false_negatives > 40);
  CHECK(contains_text(verdict.why, "of 100 members of filter 1 are not found"));
}

TEST_CASE("judge subject: counters are exercised", "[subject][zoo]") {
  const Claim claim = counting_claim();
  const SubjectSettings all{.exercises = {.merge = true, .erase = true, .saturation = true}};
  const SubjectVerdict honest = judge_zoo("honest_counters", claim, all);
  INFO(honest.why);
  CHECK(honest.accepted());
  const SubjectSettings saturation{.exercises = {.saturation = true}};
  CHECK_FALSE(judge_zoo("stuck_counter_decremented", claim, saturation).accepted());
  CHECK_FALSE(judge_zoo("counter_carries_over", claim, saturation).accepted());
  const SubjectVerdict unchecked =
      judge_zoo("erase_without_check", claim, {.exercises = {.erase = true}});
  CHECK(unchecked.num_wrongful_erases > 0);
  CHECK(contains_text(unchecked.why, "keys that the filter calls absent were erased"));
  const SubjectVerdict refusing = judge_zoo("honest_bits", claim, {.exercises = {.erase = true}});
  CHECK(refusing.num_refused_erases == 300 / 4 + 1);
  CHECK_FALSE(refusing.accepted());
}

TEST_CASE("judge subject: asks as many members as it may", "[subject][zoo]") {
  const SubjectVerdict verdict =
      judge_zoo("honest_bits", standard_claim(1000, 9586, 7),
                {.num_filters = 2, .num_queries = 100, .max_member_queries = 10});
  CHECK(verdict.num_member_queries == 20);
}

TEST_CASE("judge subject: a claim without a known law is refused", "[subject]") {
  CHECK(contains_text(message_of<ConfigError>(
                          [] { static_cast<void>(make_claim("variable_increment", {}, {}, 10)); }),
                      "--claim must be standard, counting or partitioned"));
  CHECK(message_of<ConfigError>([] { static_cast<void>(standard_claim(0, 10, 1)); }) ==
        "-n must be at least 1, got 0");
}
