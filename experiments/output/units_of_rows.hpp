#pragma once

#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "experiments/plan/config.hpp"
#include "experiments/unit/unit.hpp"
#include "experiments/unit/unit_result.hpp"

namespace bloometry {

/// Finds the units of lines whose id the plan does not contain. The theory chooses the best k, and
/// the number of queries for a relative error. A version with another theory therefore plans other
/// points for the same config, and a unit's id is a hash of the unit with its points. The rows of a
/// line contain its points, so the id proves which unit of the config the rows belong to.
class UnitsOfRows {
 public:
  /// @param units the units of expand(config). Both arguments must outlive this object.
  UnitsOfRows(const Config& config, std::span<const Unit> units) : config_(config), units_(units) {}

  /// A unit with the points of a line, and the unit of the plan whose place it takes.
  struct Found {
    const Unit* planned;
    Unit unit;
  };

  /// Returns the unit of the line, or nullopt if the config cannot have these rows.
  [[nodiscard]] std::optional<Found> find(const UnitResult& line);

 private:
  /// The values of a unit that are also in its rows: variant, keys, hash, probes, params, trial.
  using Name = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view,
                          std::string_view, std::uint64_t>;

  [[nodiscard]] const std::vector<const Unit*>& units_named(const Name& name);

  const Config& config_;
  std::span<const Unit> units_;
  std::map<Name, std::vector<const Unit*>> by_name_;
};

}  // namespace bloometry
