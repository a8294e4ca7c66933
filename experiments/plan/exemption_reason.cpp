#include "experiments/plan/exemption_reason.hpp"

#include <fmt/core.h>

#include "experiments/workload/key_hash.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {

std::string exemption_reason(const Unit& unit, bool has_wrongful_erases) {
  if (is_weak_hash(unit.hash)) return fmt::format("hash {} is marked weak", unit.hash);
  if (!find_variant(unit.variant).scheme(unit.probes).follows_model) {
    return fmt::format("probes {} depart from their model by design", unit.probes);
  }
  if (unit.keys.name.starts_with(kZipfPrefix)) return "popular keys are queried repeatedly";
  if (has_wrongful_erases) return "keys were erased that were never inserted";
  return {};
}

bool plans_wrongful_erases(const Unit& unit) noexcept {
  return unit.churn && unit.churn->wrongful_erases > 0;
}

}  // namespace bloometry
