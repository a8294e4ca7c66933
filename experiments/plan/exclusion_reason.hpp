#pragma once

#include <string>

#include "experiments/unit/unit.hpp"

namespace bloometry {

/// Returns why rows of a unit are studied but not tested; empty if they are tested. Tested are rows
/// whose probes follow their model, whose hash is not marked weak, whose queries are distinct, and
/// whose filter was not damaged by wrongful erases.
/// @param has_wrongful_erases before a trial: plans_wrongful_erases(unit); of a row: whether any
/// was carried out.
[[nodiscard]] std::string exclusion_reason(const Unit& unit, bool has_wrongful_erases);

/// Returns whether the churn of the unit aims erases at keys that were never inserted.
[[nodiscard]] bool plans_wrongful_erases(const Unit& unit) noexcept;

}  // namespace bloometry
