#include "experiments/verdict/row_context.hpp"

#include <algorithm>
#include <cassert>

#include "experiments/plan/exemption_reason.hpp"
#include "experiments/unit/churn_round.hpp"
#include "experiments/unit/key_lifetime.hpp"
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

/// Returns whether the keys in the filter are not those of num_inserted inserts of distinct keys:
/// some calls repeat or erase a key, or ticks rotate the filter.
bool has_other_keys(const StreamWindow& window, bool forgets) {
  return window.reinsert > 0 || window.erase > 0 || (window.is_in_ticks() && forgets);
}

/// Returns a number of keys at which the rate of theory is at least that of the stream's filter.
/// In a stream with ticks, all generations of which the filter has cells are full at that number.
std::uint64_t most_keys(const Unit& unit, const FilterSpec& spec, std::uint64_t num_inserted) {
  const std::optional<KeyLifetime> lifetime = lifetime_of(find_variant(unit.variant), spec);
  const bool has_ticks = unit.window->is_in_ticks() && lifetime && lifetime->generation_capacity;
  return has_ticks ? lifetime->num_gone * *lifetime->generation_capacity : num_inserted;
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
                     .window = unit.window,
                     .stream = unit.stream,
                     .capacity = point.capacity,
                     .bits_per_key = point.bits_per_key,
                     .exemption_reason = exemption_reason(unit, has_wrongful_erases)};
  context.initial_capacity = find_variant(unit.variant).initial_capacity(context.point.spec);
  if (unit.window &&
      has_other_keys(*unit.window, find_variant(unit.variant).can(Operation::kTick))) {
    context.has_num_keys = false;
    context.point.num_keys = most_keys(unit, context.point.spec, row.num_inserted);
  }
  if (unit.stream) {
    context.has_num_keys = false;
    context.point.num_keys = most_keys_of(*unit.stream, find_variant(unit.variant),
                                          context.point.spec, row.num_inserted);
  }
  if (unit.churn && context.has_num_keys) {
    context.point.num_keys = num_keys_after(*unit.churn, row.num_inserted);
  }
  return context;
}

}  // namespace bloometry
