#include "experiments/verdict/theory_cache.hpp"

#include "variants/registry/theory_registry.hpp"

namespace bloometry {
namespace {

template <class T>
void append(std::string& key, const std::optional<T>& value) {
  key.append("|").append(value ? to_string(ParamValue(static_cast<double>(*value))) : "-");
}

/// Counts pass through a double: those beyond 2^53 would share an entry only with their neighbours,
/// so they are written out as integers.
void append(std::string& key, const std::optional<std::uint64_t>& value) {
  key.append("|").append(value ? std::to_string(*value) : "-");
}

std::string key_of(const TheoryPoint& point) {
  std::string key = point.variant;
  key.append("|").push_back(static_cast<char>(point.model));
  key.append("|").append(std::to_string(point.num_keys));
  append(key, point.spec.num_bits);
  append(key, point.spec.num_counters);
  append(key, point.spec.num_blocks);
  append(key, point.spec.capacity);
  append(key, point.spec.num_hashes);
  append(key, point.spec.bits_per_key);
  append(key, point.spec.target_false_positive_rate);
  for (const auto& [name, value] : point.spec.params) {
    key.append("|").append(name).append("=").append(to_string(value));
  }
  return key;
}

}  // namespace

const Prediction& TheoryCache::prediction(const TheoryPoint& point) {
  Entry& cached = entry(point);
  if (!cached.prediction) {
    cached.prediction = find_theory(point.variant).predict(point.spec, point.model, point.num_keys);
  }
  return *cached.prediction;
}

const std::optional<theory::FillLaw>& TheoryCache::fill_law(const TheoryPoint& point) {
  Entry& cached = entry(point);
  if (!cached.fill_law) {
    cached.fill_law = find_theory(point.variant).fill_law(point.spec, point.model, point.num_keys);
  }
  return *cached.fill_law;
}

TheoryCache::Entry& TheoryCache::entry(const TheoryPoint& point) {
  std::unique_ptr<Entry>& cached = entries_[key_of(point)];
  if (!cached) cached = std::make_unique<Entry>();
  return *cached;
}

}  // namespace bloometry
