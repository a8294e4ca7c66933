#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "experiments/output/run_folder.hpp"
#include "experiments/rows/trial_row.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// What the config says of a row and the row itself does not.
struct RowContext {
  std::optional<Churn> churn{};  ///< keys were erased between filling and measuring
  /// Distinct keys in the filter when it was measured; absent after a churn that leaves it open.
  std::optional<std::uint64_t> num_keys_present{};
  std::optional<std::uint64_t> capacity{};  ///< of the row's grid, if it has one
  std::string exclusion_reason{};           ///< why the row is not tested; empty if it is
};

/// Looks rows up in the units and grids of a run. Holds pointers into the run, which must outlive
/// it.
class RunContext {
 public:
  explicit RunContext(const RunData& run);

  [[nodiscard]] RowContext of(const TrialRow& row) const;

 private:
  [[nodiscard]] std::optional<std::uint64_t> capacity_of(const TrialRow& row) const;
  static bool fits(const Grid& grid, const TrialRow& row);

  std::unordered_map<std::string, const Unit*> units_;
  std::vector<const Grid*> grids_;  // those with a capacity
};

}  // namespace bloometry
