#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

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

  void clear() { filter_.clear(); }

  [[nodiscard]] const F& filter() const noexcept { return filter_; }

  [[nodiscard]] const H& hasher() const noexcept { return hasher_; }

 private:
  F filter_;
  H hasher_;
};

}  // namespace bloometry
