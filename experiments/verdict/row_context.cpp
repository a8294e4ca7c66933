#include "experiments/verdict/row_context.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "experiments/plan/exclusion_reason.hpp"
#include "experiments/unit/churn_round.hpp"
#include "experiments/verdict/theory_point.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

template <class T>
bool holds(const std::vector<T>& values, const T& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

FilterSpec spec_of(const std::string& size_axis, double size, std::uint64_t capacity,
                   const TrialRow& row) {
  FilterSpec spec{.capacity = capacity,
                  .num_hashes = static_cast<unsigned>(row.num_hashes.value_or(1)),
                  .params = params_from_text(row.params)};
  const auto count = static_cast<std::uint64_t>(size);
  if (size_axis == "bits_per_key") spec.bits_per_key = size;
  if (size_axis == "num_bits") spec.num_bits = count;
  if (size_axis == "num_counters") spec.num_counters = count;
  if (size_axis == "num_blocks") spec.num_blocks = count;
  return spec;
}

/// Keys left by a churn that only ever erased keys it found; absent where an erase was refused or
/// hit a key never inserted.
std::optional<std::uint64_t> keys_present(const TrialRow& row, const std::optional<Churn>& churn) {
  if (!churn) return row.num_inserted;
  if (row.num_wrongful_erases.value_or(0) > 0 || row.num_refused_erases.value_or(0) > 0) {
    return std::nullopt;
  }
  return num_keys_after(*churn, row.num_inserted);
}

}  // namespace

RunContext::RunContext(const RunData& run) {
  for (const Unit& unit : run.units) units_.emplace(unit.id, &unit);
  for (const Grid& grid : run.config.grids) {
    if (grid.capacity) grids_.push_back(&grid);
  }
}

RowContext RunContext::of(const TrialRow& row) const {
  RowContext context{.capacity = capacity_of(row)};
  if (const auto found = units_.find(row.unit); found != units_.end()) {
    const Unit& unit = *found->second;
    context.churn = unit.churn;
    context.exclusion_reason = exclusion_reason(unit, row.num_wrongful_erases.value_or(0) > 0);
  }
  context.num_keys_present = keys_present(row, context.churn);
  return context;
}

std::optional<std::uint64_t> RunContext::capacity_of(const TrialRow& row) const {
  std::optional<std::uint64_t> capacity;
  for (const Grid* grid : grids_) {
    if (!fits(*grid, row)) continue;
    if (capacity && capacity != grid->capacity) return std::nullopt;
    capacity = grid->capacity;
  }
  return capacity;
}

bool RunContext::fits(const Grid& grid, const TrialRow& row) {
  if (!holds(grid.variants, row.variant) || !holds(grid.num_keys, row.num_inserted)) return false;
  if (row.target_false_positive_rate) return holds(grid.sizes, *row.target_false_positive_rate);
  // What the variant itself makes of a size: counters of some bits, whole blocks.
  const VariantInfo& variant = find_variant(row.variant);
  const std::uint64_t num_cells = row.num_counters.value_or(row.num_bits);
  return std::any_of(grid.sizes.begin(), grid.sizes.end(), [&](double size) {
    return variant.geometry(spec_of(grid.size_axis, size, *grid.capacity, row)).num_cells ==
           num_cells;
  });
}

}  // namespace bloometry
