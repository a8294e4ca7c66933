#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/rows/trial_row.hpp"
#include "experiments/unit/unit.hpp"
#include "experiments/verdict/theory_cache.hpp"

namespace bloometry {

/// Facts about a row that its unit contains and the row does not.
struct RowContext {
  /// The filter, with the number of distinct keys at the time of measurement: num_inserted if churn
  /// makes that number unknown.
  TheoryPoint point{};
  bool knows_num_keys = true;               ///< false: churn makes the number of keys unknown
  std::optional<Churn> churn{};             ///< keys were erased between filling and measuring
  std::optional<std::uint64_t> capacity{};  ///< of the row's point
  std::optional<double> bits_per_key{};     ///< of the row's point, as configured
  std::string exemption_reason{};           ///< why the row is not tested; empty if it is
};

/// Returns the context of a row. @param row belongs to a point of the unit.
/// @throws ConfigError if the unit names a variant or probe scheme that does not exist.
[[nodiscard]] RowContext row_context(const Unit& unit, const TrialRow& row);

}  // namespace bloometry
