#include "experiments/verdict/row_context.hpp"

#include <algorithm>
#include <cassert>

#include "experiments/plan/exemption_reason.hpp"
#include "experiments/unit/churn_round.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

/// Returns the row's point. In the order of points, an absent capacity is smaller than any
/// capacity. The row's point is therefore the first point that is not smaller than `wanted`.
const Point& point_of(const Unit& unit, const TrialRow& row) {
  const Point wanted{.num_inserted = row.num_inserted,
                     .num_hashes = static_cast<unsigned>(row.num_hashes.value_or(0)),
                     .num_queries = row.num_queries};
  const auto found = std::lower_bound(unit.points.begin(), unit.points.end(), wanted);
  assert(found != unit.points.end());
  return *found;
}

}  // namespace

RowContext row_context(const Unit& unit, const TrialRow& row) {
  const Point& point = point_of(unit, row);
  const bool has_wrongful_erases = row.num_wrongful_erases.value_or(0) > 0;
  const bool has_strange_erases = has_wrongful_erases || row.num_refused_erases.value_or(0) > 0;
  const bool has_refused_inserts = row.num_refused_inserts.value_or(0) > 0;
  RowContext context{.point = {.variant = unit.variant,
                               .spec = point_spec(unit, point),
                               .model = find_variant(unit.variant).scheme(unit.probes).model,
                               .num_keys = row.num_inserted},
                     .has_num_keys = !has_refused_inserts && (!unit.churn || !has_strange_erases),
                     .churn = unit.churn,
                     .capacity = point.capacity,
                     .bits_per_key = point.bits_per_key,
                     .exemption_reason = exemption_reason(unit, has_wrongful_erases)};
  context.initial_capacity = find_variant(unit.variant).initial_capacity(context.point.spec);
  if (unit.churn && context.has_num_keys) {
    context.point.num_keys = num_keys_after(*unit.churn, row.num_inserted);
  }
  return context;
}

}  // namespace bloometry
