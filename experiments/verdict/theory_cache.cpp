#include "experiments/verdict/theory_cache.hpp"

#include <tuple>

#include "variants/registry/theory_registry.hpp"

namespace bloometry {
namespace {

/// Returns the fields that are equal for points with the same m.
auto cells_of(const TheoryPoint& point) {
  const FilterSpec& spec = point.spec;
  return std::tie(point.variant, point.model, spec.num_bits, spec.num_counters,
                  spec.target_false_positive_rate, spec.params);
}

auto load_of(const TheoryPoint& point) {
  const bool is_by_throws = point.model == ProbeModel::kWithReplacement;
  const std::uint64_t throws = point.num_keys * point.spec.num_hashes.value_or(1);
  return std::make_tuple(is_by_throws ? throws : 0, point.spec.num_hashes, point.num_keys);
}

}  // namespace

bool operator<(const TheoryPoint& a, const TheoryPoint& b) {
  const auto cells_a = cells_of(a);
  const auto cells_b = cells_of(b);
  return cells_a != cells_b ? cells_a < cells_b : load_of(a) < load_of(b);
}

const Prediction& TheoryCache::prediction(const TheoryPoint& point) {
  std::optional<Prediction>& cached = entries_[point].prediction;
  if (!cached) cached = find_theory(point.variant).predict(point.spec, point.model, point.num_keys);
  return *cached;
}

const std::optional<theory::FillLaw>& TheoryCache::fill_law(const TheoryPoint& point) {
  std::optional<std::optional<theory::FillLaw>>& cached = entries_[point].fill_law;
  if (!cached)
    cached = find_theory(point.variant).fill_law(point.spec, point.model, point.num_keys);
  return *cached;
}

const theory::RefusedInserts& TheoryCache::refused_inserts(const TheoryPoint& point) {
  std::optional<theory::RefusedInserts>& cached = entries_[point].refused_inserts;
  if (!cached) cached = find_theory(point.variant).refused_inserts(point.spec, point.num_keys);
  return *cached;
}

}  // namespace bloometry
