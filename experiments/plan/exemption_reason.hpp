#pragma once

#include <string>

#include "experiments/unit/unit.hpp"

namespace bloometry {

/// Returns the reason why rows of a unit are exempt from the tests, or an empty string if the rows
/// are tested. A row is tested if its probes follow their model, its hash is not weak, its queries
/// are distinct, and its filter is undamaged. A weak hash is named before other reasons,
/// because its deviations are by far the largest.
/// @param has_wrongful_erases whether a wrongful erase of the row succeeded; before a trial, the
/// result of plans_wrongful_erases(unit)
[[nodiscard]] std::string exemption_reason(const Unit& unit, bool has_wrongful_erases);

/// Returns whether the unit's churn erases keys that were never inserted.
[[nodiscard]] bool plans_wrongful_erases(const Unit& unit) noexcept;

}  // namespace bloometry
