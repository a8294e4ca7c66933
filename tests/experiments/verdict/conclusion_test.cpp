#include "experiments/verdict/conclusion.hpp"

#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"

using namespace bloometry;
using namespace bloometry::test;

TEST_CASE("conclusion: is the worst of deviations, changed files and missing units", "[verdict]") {
  Verdict verdict = one_series_run().verdict;
  const std::vector<CheckedFile> intact = {{"trials.csv", FileState::kAbsent}};
  const std::vector<CheckedFile> changed = {{"trials.csv", FileState::kChanged}};
  CHECK(conclude(verdict, intact) == Conclusion::kAccepted);
  verdict.num_missing_units = 1;
  CHECK(conclude(verdict, intact) == Conclusion::kIncomplete);
  CHECK(conclude(verdict, changed) == Conclusion::kAltered);
  verdict.num_deviations = 1;
  CHECK(conclude(verdict, changed) == Conclusion::kRejected);
}

TEST_CASE("conclusion: a run without tests or rows is not accepted", "[verdict]") {
  Verdict untested = one_series_run().verdict;
  untested.num_tests = 0;
  CHECK(conclude(untested, {}) == Conclusion::kNothingTested);
  CHECK(conclude(empty_run().verdict, {}) == Conclusion::kIncomplete);
}
