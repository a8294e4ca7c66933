#pragma once

#include <cassert>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/engine/batch.hpp"
#include "core/engine/hashed_chunks.hpp"
#include "core/filter/compatible.hpp"
#include "core/filter/filter.hpp"
#include "core/hash/xxh3_hasher.hpp"
#include "core/key/key_view.hpp"

namespace bloometry {

/// A filter with its hasher: what a user of the library holds. Keys are strings, bytes or integers.
///
///     const bloometry::FilterSpec spec{.capacity = 1'000'000, .target_false_positive_rate = 0.01};
///     bloometry::Keyed<bloometry::StandardFilter> seen(spec);
///     seen.insert("a");
///     seen.contains("b");
///
/// The default hash is for keys that nobody chose to do harm. For keys from strangers
/// (core/hash/siphash_hashers.hpp):
///
///     bloometry::Keyed<bloometry::StandardFilter, bloometry::SipHash128Hasher> seen(
///         spec, bloometry::SipHashKey::random());
template <Filter F, Hasher H = Xxh3Hasher>
class Keyed {
 public:
  using Inner = F;
  using Hash = H;

  /// The seed is not a secret: it distinguishes filters.
  /// @throws ConfigError as the filter does.
  explicit Keyed(const FilterSpec& spec, std::uint64_t seed = 0) requires(!SecretHasher<H>)
      : filter_(spec), hasher_(seed) {}

  // A secret hasher has no default. The compiler's error shows the next line, which says what to
  // type.
  explicit Keyed(const FilterSpec& /*type (spec, H::Key::random())*/) requires SecretHasher<H>
  = delete;

  /// A secret hasher is its key: (spec, SipHashKey::random()).
  /// @throws ConfigError as the filter does.
  Keyed(const FilterSpec& spec, H hasher) : filter_(spec), hasher_(std::move(hasher)) {}

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

  /// Many keys at once: what the calls above say and do, in the order of the keys. Keys are hashed
  /// and their cells asked for while those before them are finished, which hides most of the time
  /// that a filter in main memory waits. Answers are bools, or bits: answer i is bit i mod 64 of
  /// word i / 64, bits past the last are 0; there is room for one answer a key.
  ///
  /// insert returns for how many keys it proved that they were new, erase how many it removed.
  std::uint64_t insert(std::span<const KeyView> keys) { return insert_keys(keys); }

  std::uint64_t insert(std::span<const std::string_view> keys) { return insert_keys(keys); }

  std::uint64_t insert(std::span<const std::uint64_t> keys) { return insert_keys(keys); }

  void contains(std::span<const KeyView> keys, std::span<bool> answers) const noexcept {
    contains_keys(keys, answers);
  }

  void contains(std::span<const std::string_view> keys, std::span<bool> answers) const noexcept {
    contains_keys(keys, answers);
  }

  void contains(std::span<const std::uint64_t> keys, std::span<bool> answers) const noexcept {
    contains_keys(keys, answers);
  }

  void contains(std::span<const KeyView> keys, std::span<std::uint64_t> answers) const noexcept {
    contains_keys(keys, answers);
  }

  void contains(std::span<const std::string_view> keys,
                std::span<std::uint64_t> answers) const noexcept {
    contains_keys(keys, answers);
  }

  void contains(std::span<const std::uint64_t> keys,
                std::span<std::uint64_t> answers) const noexcept {
    contains_keys(keys, answers);
  }

  std::uint64_t erase(std::span<const KeyView> keys) noexcept requires ErasableFilter<F> {
    return erase_keys(keys);
  }

  std::uint64_t erase(std::span<const std::string_view> keys) noexcept requires ErasableFilter<F> {
    return erase_keys(keys);
  }

  std::uint64_t erase(std::span<const std::uint64_t> keys) noexcept requires ErasableFilter<F> {
    return erase_keys(keys);
  }

  /// Makes this the filter of the keys of both. The hash is part of the type; seed or secret are
  /// checked, and a secret is not named.
  /// @throws ConfigError if they differ, or as the filter does; nothing is changed then.
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
  template <class Key>
  std::uint64_t insert_keys(std::span<const Key> keys) {
    return insert_chunks(filter_, HashedChunks<kUpdateKeysOf<F>, H, Key>(hasher_, keys));
  }

  template <class Key>
  std::uint64_t erase_keys(std::span<const Key> keys) noexcept {
    return erase_chunks(filter_, HashedChunks<kUpdateKeysOf<F>, H, Key>(hasher_, keys));
  }

  template <class Key>
  void contains_keys(std::span<const Key> keys, std::span<bool> answers) const noexcept {
    assert(answers.size() >= keys.size());
    query_chunks(filter_, HashedChunks<kQueryKeysOf<F>, H, Key>(hasher_, keys),
                 BoolAnswers(answers));
  }

  template <class Key>
  void contains_keys(std::span<const Key> keys, std::span<std::uint64_t> answers) const noexcept {
    assert(answers.size() >= (keys.size() + 63) / 64);
    query_chunks(filter_, HashedChunks<kQueryKeysOf<F>, H, Key>(hasher_, keys),
                 BitAnswers(answers));
  }

  void require_same_seed(const Keyed& other) const {
    if (hasher_ == other.hasher_) return;
    if constexpr (SeededHasher<H>) require_equal("seed", hasher_.seed(), other.hasher_.seed());
    throw ConfigError(std::string(SecretHasher<H> ? "secret of the hash" : "seed") +
                      " must be equal in both filters");
  }

  F filter_;
  H hasher_;
};

}  // namespace bloometry
