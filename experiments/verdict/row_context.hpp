#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/rows/trial_row.hpp"
#include "experiments/unit/unit.hpp"
#include "experiments/verdict/theory_cache.hpp"

namespace bloometry {

/// Facts about a row that are in its unit and not in the row.
struct RowContext {
  /// The filter and the number of distinct keys in it when it was measured. The number is
  /// num_inserted if churn makes it unknown.
  TheoryPoint point{};
  bool knows_num_keys = true;               ///< false if churn makes the number of keys unknown
  std::optional<Churn> churn{};             ///< churn between filling and measuring, if any
  std::optional<std::uint64_t> capacity{};  ///< capacity of the row's point
  std::optional<double> bits_per_key{};     ///< configured value of the row's point
  std::string exemption_reason{};           ///< why the row is not tested; empty if it is tested
};

/// Returns the context of a row. @param row must belong to a point of the unit.
/// @throws ConfigError if the unit names a variant or probe scheme that does not exist.
[[nodiscard]] RowContext row_context(const Unit& unit, const TrialRow& row);

}  // namespace bloometry
