#pragma once

#include <cstdint>
#include <string>

#include "core/filter/filter_spec.hpp"
#include "core/probe/probe_policy.hpp"
#include "experiments/rows/trial_row.hpp"

namespace bloometry {

/// What theory has to be asked about one row: the filter that the row says it measured, and how
/// many distinct keys were in it.
struct TheoryPoint {
  std::string variant;
  FilterSpec spec{};
  ProbeModel model = ProbeModel::kWithReplacement;
  std::uint64_t num_keys = 0;
};

/// Rebuilds the spec from the columns of a row: variant, params, num_counters or num_bits (a filter
/// that grows: target_false_positive_rate), num_hashes. The one place that does so.
/// @throws ConfigError if the row names a variant, probe scheme or parameter that does not exist.
[[nodiscard]] TheoryPoint theory_point(const TrialRow& row, std::uint64_t num_keys);

/// Parameters from their JSON text in a row. @throws ConfigError if it is no object of numbers,
/// texts and lists of integers.
[[nodiscard]] Params params_from_text(const std::string& json);

}  // namespace bloometry
