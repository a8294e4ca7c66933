#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/unit/trial_row.hpp"
#include "experiments/unit/unit.hpp"
#include "experiments/verdict/theory_cache.hpp"

namespace bloometry {

/// Facts about a row that are in the row's unit but not in the row.
struct RowContext {
  /// The filter, and the number of distinct keys in the filter when it is measured. If has_num_keys
  /// is false, num_keys is num_inserted, or the insert calls of a full filter that forgets by
  /// ticks.
  TheoryPoint point{};
  /// False if churn, a window or a stream makes the number of keys unknown, or if the filter
  /// refused inserts. The keys of a filter that refused inserts are not a random set, because their
  /// buckets had room.
  bool has_num_keys = true;
  std::optional<Churn> churn{};             ///< churn between filling and measuring, if any
  std::optional<StreamWindow> window{};     ///< window of the row's stream, if any
  std::optional<ItemStream> stream{};       ///< stream of items, if any
  std::optional<std::uint64_t> capacity{};  ///< capacity of the row's point
  /// Number of keys for which the first stage of a filter that grows is planned.
  std::optional<std::uint64_t> initial_capacity{};
  std::optional<double> bits_per_key{};  ///< bits per key of the row's point in the config
  std::string exemption_reason{};  ///< reason why the row is not tested; empty if it is tested
};

/// Returns the context of a row. @param row row that belongs to a point of the unit
/// @throws ConfigError if the unit names a variant or probe scheme that does not exist
[[nodiscard]] RowContext row_context(const Unit& unit, const TrialRow& row);

}  // namespace bloometry
