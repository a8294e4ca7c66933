#include "experiments/verdict/theory_cache.hpp"

#include <tuple>

#include "variants/registry/theory_registry.hpp"

namespace bloometry {
namespace {

auto fields_of(const TheoryPoint& point) {
  const FilterSpec& spec = point.spec;
  return std::tie(point.variant, point.model, point.num_keys, spec.num_bits, spec.num_counters,
                  spec.target_false_positive_rate, spec.num_hashes, spec.params);
}

}  // namespace

bool operator<(const TheoryPoint& a, const TheoryPoint& b) {
  return fields_of(a) < fields_of(b);
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

}  // namespace bloometry
