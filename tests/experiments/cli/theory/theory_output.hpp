#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/cli/command_line/point_options.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/theory/theory_options.hpp"
#include "tests/experiments/cli/captured_output.hpp"
#include "tests/support/catch.hpp"

namespace bloometry::test {

/// Returns the output of `theory --json`.
inline nlohmann::json theory_json(PointOptions options) {
  options.json = true;
  const CapturedOutput output;
  REQUIRE(theory_command(options) == kDone);
  return nlohmann::json::parse(output.text());
}

/// Returns the options of a filter with n keys, m cells and k hashes.
inline PointOptions point(const std::string& variant, std::uint64_t n, std::uint64_t m,
                          unsigned k) {
  PointOptions options;
  options.variant = variant;
  options.request.num_keys = n;
  options.request.num_cells = m;
  options.request.num_hashes = k;
  return options;
}

inline double relative_error(double value, double expected) {
  return std::abs(value / expected - 1);
}

/// Returns the rate with the given name in the output of `theory --json`.
inline double rate(const nlohmann::json& answer, const char* name) {
  return answer.at("expected_false_positive_rate").at(name).get<double>();
}

}  // namespace bloometry::test
