#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "core/filter/compatible.hpp"
#include "core/filter/filter.hpp"
#include "core/hash/xxh3_hasher.hpp"
#include "core/key/key_view.hpp"

namespace bloometry {

/// A filter with its hasher: what a user of the library holds. Keys are strings, bytes or integers.
///
///     bloometry::Keyed<bloometry::StandardFilter> seen({.capacity = 1'000'000,
///     .target_false_positive_rate = 0.01}); seen.insert("a"); seen.contains("b");
template <Filter F, Hasher H = Xxh3Hasher>
class Keyed {
 public:
  /// @throws ConfigError as the filter does.
  explicit Keyed(const FilterSpec& spec, std::uint64_t seed = 0) : filter_(spec), hasher_(seed) {}

  Keyed(F filter, H hasher) : filter_(std::move(filter)), hasher_(std::move(hasher)) {}

  /// True proves that the key was not in the filter before, false proves nothing.
  bool insert(KeyView key) { return filter_.insert(hasher_(key)); }

  bool insert(std::integral auto key) { return insert(IntegerKey(key).view()); }

  /// True may be wrong, false never is.
  [[nodiscard]] bool contains(KeyView key) const noexcept { return filter_.contains(hasher_(key)); }

  [[nodiscard]] bool contains(std::integral auto key) const noexcept {
    return contains(IntegerKey(key).view());
  }

  /// Removes a key that was inserted; see the filter for what happens with others. Returns whether
  /// it did.
  bool erase(KeyView key) noexcept requires ErasableFilter<F> {
    return filter_.erase(hasher_(key));
  }

  bool erase(std::integral auto key) noexcept requires ErasableFilter<F> {
    return erase(IntegerKey(key).view());
  }

  /// Makes this the filter of the keys of both. The hash is part of the type; the seed is checked.
  /// @throws ConfigError if the seeds differ, or as the filter does; nothing is changed then.
  void merge(const Keyed& other) requires MergeableFilter<F> {
    require_same_seed(other);
    filter_.merge(other.filter_);
  }

  /// Keeps what both contain. Throws as merge.
  void intersect(const Keyed& other) requires IntersectableFilter<F> {
    require_same_seed(other);
    filter_.intersect(other.filter_);
  }

  /// The filter of the same keys with a divisor-th of the cells.
  /// @throws ConfigError as the filter does.
  [[nodiscard]] auto fold(std::uint64_t divisor) const requires FoldableFilter<F> {
    return Keyed<decltype(filter_.fold(divisor)), H>(filter_.fold(divisor), hasher_);
  }

  /// Distinct keys, from the cells; +infinity if all are set.
  [[nodiscard]] double estimate_count() const noexcept requires CountEstimatingFilter<F> {
    return filter_.estimate_count();
  }

  /// Keys here, in the other filter, and in either. Throws as merge.
  [[nodiscard]] SetEstimates estimate_sets(const Keyed& other) const requires
      SetEstimatingFilter<F> {
    require_same_seed(other);
    return filter_.estimate_sets(other.filter_);
  }

  void clear() { filter_.clear(); }

  [[nodiscard]] const F& filter() const noexcept { return filter_; }

  [[nodiscard]] const H& hasher() const noexcept { return hasher_; }

 private:
  void require_same_seed(const Keyed& other) const {
    if (hasher_ == other.hasher_) return;
    if constexpr (SeededHasher<H>) require_equal("seed", hasher_.seed(), other.hasher_.seed());
    throw ConfigError("seed must be equal in both filters");
  }

  F filter_;
  H hasher_;
};

}  // namespace bloometry
