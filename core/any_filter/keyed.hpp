#pragma once

#include <cassert>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/contract/compatible.hpp"
#include "core/contract/filter.hpp"
#include "core/engine/batch.hpp"
#include "core/engine/hashed_chunks.hpp"
#include "core/engine/inserter.hpp"
#include "core/hash/integer_hash.hpp"
#include "core/hash/key_digest.hpp"
#include "core/hash/key_range.hpp"
#include "core/hash/key_view.hpp"
#include "core/hash/xxh3_hasher.hpp"

/// Marks a function that cannot be called, with the reason as `text`. In the error for a call,
/// clang prints the reason, and g++ prints the declaration with the names of the template
/// parameters. In a requires expression, a call of the function is invalid.
#ifdef __clang__
#define BLOOMETRY_REFUSED(text) __attribute__((unavailable(text)))
#else
#define BLOOMETRY_REFUSED(text) = delete
#endif

namespace bloometry {

template <class F>
concept UnerasableFilter = Filter<F> && !ErasableFilter<F>;

/// Object that inserts keys one by one into the filter of a Keyed object (Keyed::inserter()). The
/// Keyed object must outlive the inserter.
template <class FilterInserter, Hasher H>
class KeyedInserter {
 public:
  KeyedInserter(FilterInserter inserter, H hasher) noexcept
      : inserter_(std::move(inserter)), hasher_(std::move(hasher)) {}

  /// Inserts a key as Keyed::insert does.
  bool insert(KeyView key) noexcept { return inserter_.insert(hasher_(key)); }

  bool insert(WholeNumber auto key) noexcept { return insert(IntegerKey(key).view()); }

  template <StructKey Key>
  bool insert(const Key& key) noexcept {
    return inserter_.insert(digest_of(hasher_, key));
  }

 private:
  FilterInserter inserter_;
  H hasher_;
};

/// A filter with its hasher, for keys that are strings, bytes, integers, or structs with a function
/// hash_append (core/hash/key_bytes.hpp). Most programs use Keyed.
///
///     const bloometry::FilterSpec spec{.capacity = 1'000'000, .target_false_positive_rate = 0.01};
///     bloometry::Keyed<bloometry::StandardFilter> seen(spec);
///     seen.insert("a");
///     seen.contains("b");
///
/// The default hash does not protect against keys that an attacker chooses. For keys that an
/// attacker can choose, use a hasher with a secret (core/hash/siphash_hashers.hpp):
///
///     bloometry::Keyed<bloometry::StandardFilter, bloometry::SipHash128Hasher> seen(
///         spec, bloometry::SipHashKey::random());
template <Filter F, Hasher H = Xxh3Hasher>
class Keyed {
 public:
  using Inner = F;
  using Hash = H;

  /// Makes an empty filter. Filters with different seeds map a key to different positions. The seed
  /// is not a secret.
  /// @throws ConfigError if the filter's constructor throws
  explicit Keyed(const FilterSpec& spec, std::uint64_t seed = 0) requires(!SecretHasher<H>)
      : filter_(spec), hasher_(seed) {}

  // A secret hasher has no default value. The compiler's error shows the declaration, whose comment
  // contains the correct call.
  explicit Keyed(const FilterSpec& /*type (spec, H::Key::random())*/) requires SecretHasher<H>
  = delete;

  /// Makes an empty filter with a hasher. For a secret hasher, pass the key, as in
  /// `(spec, SipHashKey::random())`.
  /// @throws ConfigError if the filter's constructor throws
  Keyed(const FilterSpec& spec, H hasher) : filter_(spec), hasher_(std::move(hasher)) {}

  Keyed(F filter, H hasher) : filter_(std::move(filter)), hasher_(std::move(hasher)) {}

  /// Inserts a key. Returns true if the key was certainly new. The result false does not prove that
  /// the key was present.
  /// @throws FullError if a limited filter has no room for the key
  bool insert(KeyView key) { return filter_.insert(hasher_(key)); }

  bool insert(WholeNumber auto key) { return insert(IntegerKey(key).view()); }

  template <StructKey Key>
  bool insert(const Key& key) {
    return filter_.insert(digest_of(hasher_, key));
  }

  /// Inserts a key, unless a limited filter has no room for it.
  /// @throws MemoryError if a filter that grows cannot allocate its larger memory
  [[nodiscard]] Insertion try_insert(KeyView key) requires LimitedFilter<F> {
    return filter_.try_insert(hasher_(key));
  }

  [[nodiscard]] Insertion try_insert(WholeNumber auto key) requires LimitedFilter<F> {
    return try_insert(IntegerKey(key).view());
  }

  template <StructKey Key>
  [[nodiscard]] Insertion try_insert(const Key& key) requires LimitedFilter<F> {
    return filter_.try_insert(digest_of(hasher_, key));
  }

  /// Inserts the keys of a KeyRange, up to the first key for which the filter has no room.
  template <KeyRange Keys>
  [[nodiscard]] InsertCount try_insert(const Keys& keys) requires LimitedFilter<F> {
    return try_insert_keys(span_of(keys));
  }

  /// Returns an object that inserts keys one by one faster than insert(). In a loop, the inserter
  /// keeps the filter's pointer, size and seed in registers, whereas insert() loads them for every
  /// key (core/decisions.md). It is valid until the Keyed object is destroyed, moved or assigned.
  /// Between two inserts of the inserter, the caller may call other functions that insert or query
  /// keys.
  ///
  ///     auto in = seen.inserter();
  ///     for (const std::uint64_t key : keys) in.insert(key);
  [[nodiscard]] auto inserter() noexcept requires HasInserter<F> {
    return KeyedInserter<decltype(filter_.inserter()), H>(filter_.inserter(), hasher_);
  }

  /// Returns whether the filter contains the key. The answer true may be wrong. The answer false is
  /// always correct. If hash_append throws in a noexcept function, the program ends.
  [[nodiscard]] bool contains(KeyView key) const noexcept { return filter_.contains(hasher_(key)); }

  [[nodiscard]] bool contains(WholeNumber auto key) const noexcept {
    return contains(IntegerKey(key).view());
  }

  template <StructKey Key>
  [[nodiscard]] bool contains(const Key& key) const noexcept {
    return filter_.contains(digest_of(hasher_, key));
  }

  /// Removes a key that was inserted. Returns whether the key was removed. The comment of the
  /// filter class describes the effect on other keys.
  bool erase(KeyView key) noexcept requires ErasableFilter<F> {
    return filter_.erase(hasher_(key));
  }

  bool erase(WholeNumber auto key) noexcept requires ErasableFilter<F> {
    return erase(IntegerKey(key).view());
  }

  template <StructKey Key>
  bool erase(const Key& key) noexcept requires ErasableFilter<F> {
    return filter_.erase(digest_of(hasher_, key));
  }

  template <class Key, UnerasableFilter FilterThatCannotErase = F>
  void erase(const Key&) noexcept
      BLOOMETRY_REFUSED("this filter cannot erase; one of counters can, as CountingFilter");

  /// Inserts the keys of a KeyRange (a vector of strings or of structs, a span of 64-bit integers).
  /// The functions `insert`, `contains` and `erase` accept a KeyRange, and have the effect of one
  /// call per key in the order of the range. A batch is faster than single calls, because it hashes
  /// later keys and prefetches their cache lines while it processes earlier keys. The prefetches
  /// hide most of the memory latency.
  ///
  /// The function `contains` writes one answer per key to a span of bools or of 64-bit words. In
  /// words, answer i is bit i mod 64 of word i / 64, and the bits after the last answer are 0. The
  /// caller must provide memory for all answers.
  ///
  /// The function `insert` returns the number of keys that were certainly new. The function `erase`
  /// returns the number of removed keys.
  template <KeyRange Keys>
  std::uint64_t insert(const Keys& keys) {
    return insert_keys(span_of(keys));
  }

  template <KeyRange Keys>
  void contains(const Keys& keys, std::span<bool> answers) const noexcept {
    contains_keys(span_of(keys), answers);
  }

  template <KeyRange Keys>
  void contains(const Keys& keys, std::span<std::uint64_t> answers) const noexcept {
    contains_keys(span_of(keys), answers);
  }

  template <KeyRange Keys>
  void contains(const Keys&, const std::vector<bool>&) const noexcept {
    static_assert(
        sizeof(Keys) == 0,
        "std::vector<bool> does not contain bools: pass an array of bool, or a std::vector of "
        "std::uint64_t for one bit per key");
  }

  template <class Keys, class Answers>
  void contains(const Keys&, const Answers&) const noexcept requires(!KeyRange<Keys>) {
    key_detail::refuse_batch<Keys>();
  }

  template <KeyRange Keys>
  std::uint64_t erase(const Keys& keys) noexcept requires ErasableFilter<F> {
    return erase_keys(span_of(keys));
  }

  /// Adds the keys of the other filter. Both filters must have the same seed or secret. An error
  /// message never contains a secret.
  /// @throws ConfigError if the seeds or secrets differ, or if the filter's `merge` throws. If
  /// `merge` throws, both objects are unchanged.
  void merge(const Keyed& other) requires MergeableFilter<F> {
    require_same_seed(other);
    filter_.merge(other.filter_);
  }

  /// Keeps only cells that are set in both filters. Throws the errors of `merge`.
  void intersect(const Keyed& other) requires IntersectableFilter<F> {
    require_same_seed(other);
    filter_.intersect(other.filter_);
  }

  /// Returns a filter of the same keys with num_cells / divisor cells.
  /// @throws ConfigError if the filter's `fold` throws
  [[nodiscard]] auto fold(std::uint64_t divisor) const requires FoldableFilter<F> {
    return Keyed<decltype(filter_.fold(divisor)), H>(filter_.fold(divisor), hasher_);
  }

  /// Moves the stored keys into a larger filter (GrowableFilter).
  /// @throws the errors of the filter's `grow`
  void grow() requires GrowableFilter<F> { filter_.grow(); }

  /// Rotates the generations of a filter that forgets (ForgettingFilter).
  void tick() noexcept requires ForgettingFilter<F> { filter_.tick(); }

  /// Returns the number of rotations since the insert of the key, or std::nullopt if the filter
  /// does not contain the key (ForgettingFilter).
  [[nodiscard]] std::optional<std::uint64_t> age(KeyView key) const noexcept requires
      ForgettingFilter<F> {
    return filter_.age(hasher_(key));
  }

  [[nodiscard]] std::optional<std::uint64_t> age(WholeNumber auto key) const noexcept requires
      ForgettingFilter<F> {
    return age(IntegerKey(key).view());
  }

  template <StructKey Key>
  [[nodiscard]] std::optional<std::uint64_t> age(const Key& key) const noexcept requires
      ForgettingFilter<F> {
    return filter_.age(digest_of(hasher_, key));
  }

  /// Estimates the number of distinct keys from the cells. The estimate is +infinity if all cells
  /// are set.
  [[nodiscard]] double estimate_count() const noexcept requires CountEstimatingFilter<F> {
    return filter_.estimate_count();
  }

  /// Estimates the numbers of keys in the filter, in the other filter, and in the union of both.
  /// Throws the errors of `merge`.
  [[nodiscard]] SetEstimates estimate_sets(const Keyed& other) const requires
      SetEstimatingFilter<F> {
    require_same_seed(other);
    return filter_.estimate_sets(other.filter_);
  }

  void clear() { filter_.clear(); }

  [[nodiscard]] const F& filter() const noexcept { return filter_; }

  [[nodiscard]] const H& hasher() const noexcept { return hasher_; }

 private:
  /// Whether F itself hashes batches of keys of the type Key, several keys at once.
  template <class Key>
  static constexpr bool kHashedByFilter = [] {
    if constexpr (std::is_same_v<Key, std::uint64_t> && BatchFilter<F> && HashesIntegers<H>) {
      return BatchAccess::kTakesIntegers<F>;
    }
    return false;
  }();

  template <class Key>
  std::uint64_t insert_keys(std::span<const Key> keys) {
    if constexpr (kHashedByFilter<Key>) {
      return BatchAccess::insert_integers(filter_, hasher_.integer_hash(), keys);
    }
    return insert_chunks(filter_, HashedChunks<kUpdateKeysOf<F>, H, Key>(hasher_, keys));
  }

  template <class Key>
  InsertCount try_insert_keys(std::span<const Key> keys) {
    return try_insert_chunks(filter_, HashedChunks<kUpdateKeysOf<F>, H, Key>(hasher_, keys));
  }

  template <class Key>
  std::uint64_t erase_keys(std::span<const Key> keys) noexcept {
    return erase_chunks(filter_, HashedChunks<kUpdateKeysOf<F>, H, Key>(hasher_, keys));
  }

  template <class Key>
  void contains_keys(std::span<const Key> keys, std::span<bool> answers) const noexcept {
    assert(answers.size() >= keys.size());
    if constexpr (kHashedByFilter<Key>) {
      return query_integers(filter_, hasher_.integer_hash(), keys, BoolAnswers(answers));
    }
    query_chunks(filter_, HashedChunks<kQueryKeysOf<F>, H, Key>(hasher_, keys),
                 BoolAnswers(answers));
  }

  template <class Key>
  void contains_keys(std::span<const Key> keys, std::span<std::uint64_t> answers) const noexcept {
    assert(answers.size() >= (keys.size() + 63) / 64);
    if constexpr (kHashedByFilter<Key>) {
      return BatchAccess::contains_integers(filter_, hasher_.integer_hash(), keys, answers.data());
    }
    query_chunks(filter_, HashedChunks<kQueryKeysOf<F>, H, Key>(hasher_, keys),
                 BitAnswers(answers));
  }

  void require_same_seed(const Keyed& other) const {
    if (hasher_ == other.hasher_) return;
    if constexpr (SeededHasher<H>) require_equal("seed", hasher_.seed(), other.hasher_.seed());
    throw ConfigError(SecretHasher<H> ? "secret of the hash must be equal in both filters"
                                      : "seed must be equal in both filters");
  }

  F filter_;
  H hasher_;
};

}  // namespace bloometry

#undef BLOOMETRY_REFUSED
