#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>

#include "core/contract/compatible.hpp"
#include "core/contract/filter.hpp"
#include "core/engine/batch.hpp"
#include "core/engine/hashed_chunks.hpp"
#include "core/error.hpp"
#include "core/file/filter_image.hpp"
#include "core/store/memory.hpp"

namespace bloometry {

/// Name of the probe scheme (Probes) of a filter class; empty if the class has no scheme.
template <class F>
struct SchemeOf {
  static constexpr std::string_view kName = "";
};

template <class F>
requires ProbePolicy<typename F::Probes>

struct SchemeOf<F> {
  static constexpr std::string_view kName = F::Probes::kName;
};

class AnyFilter;

/// A filter that AnyFilter can hold. The concept excludes AnyFilter before it evaluates Filter,
/// because Filter tests whether the class can be moved. For AnyFilter, this test would evaluate the
/// constructor template and thus HoldableFilter again, so clang 14 would recurse without end.
template <class F>
concept HoldableFilter = !std::same_as<F, AnyFilter> && Filter<F>;

/// A filter whose type is chosen at run time. The functions accept spans, so that a batch needs
/// only one virtual call and the loop over the batch is inlined. AnyFilter has no functions for a
/// single key.
///
/// Most functions process the span as a batch (core/engine/batch.hpp). A function whose name ends
/// in `_singly` calls the filter's single-key function for one key after the other. The time of
/// such a function is the baseline for measurements of batches. A moved-from AnyFilter may only be
/// assigned or destroyed.
class AnyFilter {
 public:
  template <HoldableFilter F>
  explicit AnyFilter(F filter) : held_(std::make_unique<Held<F>>(std::move(filter))) {}

  AnyFilter(const AnyFilter& other) : held_(other.held_->clone()) {}

  AnyFilter(AnyFilter&&) noexcept = default;

  AnyFilter& operator=(AnyFilter other) noexcept {
    held_ = std::move(other.held_);
    return *this;
  }

  ~AnyFilter() = default;

  /// Inserts every key. Returns the number of keys for which the filter's `insert` returns true.
  /// @throws FullError if a limited filter has no room for a key. The filter then contains the keys
  /// before this key. The other functions that insert keys throw FullError in this case too.
  std::uint64_t insert(std::span<const Digest> digests) { return held_->insert(digests); }

  /// Inserts the keys, up to the first key for which the filter has no room. A filter that is not
  /// limited has room for every key.
  /// @throws MemoryError if a filter that grows cannot allocate its larger memory. The filter then
  /// contains the keys before the key that the filter grows for.
  InsertCount try_insert(std::span<const Digest> digests) { return held_->try_insert(digests); }

  InsertCount try_insert(std::span<const KeyView> keys, const HashCall& hash) {
    return held_->try_insert(keys, hash);
  }

  std::uint64_t insert_singly(std::span<const Digest> digests) {
    return held_->insert_singly(digests);
  }

  /// Hashes and inserts the keys. A key is hashed while the cache lines of earlier keys are being
  /// loaded, which is faster than hashing all keys first.
  std::uint64_t insert(std::span<const KeyView> keys, const HashCall& hash) {
    return held_->insert(keys, hash);
  }

  /// Sets answers[i] to contains(digests[i]). The spans `digests` and `answers` have the same
  /// length.
  void contains(std::span<const Digest> digests, std::span<bool> answers) const noexcept {
    held_->contains(digests, answers);
  }

  void contains(std::span<const KeyView> keys, const HashCall& hash,
                std::span<bool> answers) const noexcept {
    held_->contains(keys, hash, answers);
  }

  [[nodiscard]] std::uint64_t count_positives(std::span<const Digest> digests) const noexcept {
    return held_->count_positives(digests);
  }

  [[nodiscard]] std::uint64_t count_positives_singly(
      std::span<const Digest> digests) const noexcept {
    return held_->count_positives_singly(digests);
  }

  /// Increments histogram[s] for every key, where s is the number of the key's probes that fall on
  /// non-zero cells. The histogram has num_hashes + 1 elements.
  /// @throws std::logic_error if can_count_probes() is false, because the variant does not use k
  /// probes.
  void count_set_probes(std::span<const Digest> digests, std::span<std::uint64_t> histogram) const {
    held_->count_set_probes(digests, histogram);
  }

  /// Erases every key. Returns the number of keys for which the filter's `erase` returns true.
  /// @throws std::logic_error if can_erase() is false.
  std::uint64_t erase(std::span<const Digest> digests) { return held_->erase(digests); }

  std::uint64_t erase_singly(std::span<const Digest> digests) {
    return held_->erase_singly(digests);
  }

  /// Adds the keys of the other filter (MergeableFilter).
  /// @throws ConfigError if the filters differ in variant, probe scheme or configuration; both
  /// filters are then unchanged.
  /// @throws std::logic_error if can_merge() is false.
  void merge(const AnyFilter& other) { held_->merge(*other.held_); }

  /// Keeps only cells that are set in both filters (IntersectableFilter). Throws ConfigError under
  /// the conditions of `merge`, and std::logic_error if can_intersect() is false.
  void intersect(const AnyFilter& other) { held_->intersect(*other.held_); }

  /// Returns a filter of the same keys with num_cells / divisor cells (FoldableFilter).
  /// @throws ConfigError if divisor does not divide the folded size (FoldableFilter).
  /// @throws std::logic_error if can_fold() is false, because the variant or the scheme cannot
  /// fold.
  [[nodiscard]] AnyFilter fold(std::uint64_t divisor) const {
    return AnyFilter(held_->fold(divisor));
  }

  /// Moves the stored keys into a larger filter (GrowableFilter).
  /// @throws ConfigError if a larger filter is not possible; the filter is then unchanged.
  /// @throws std::logic_error if can_be_grown() is false.
  void grow() { held_->grow(); }

  /// Rotates the generations of a filter that forgets (ForgettingFilter).
  /// @throws std::logic_error if can_tick() is false.
  void tick() { held_->tick(); }

  /// Sets ages[i] to age(digests[i]) (ForgettingFilter). The spans have the same length.
  /// @throws std::logic_error if can_tick() is false.
  void age(std::span<const Digest> digests, std::span<std::optional<std::uint64_t>> ages) const {
    held_->age(digests, ages);
  }

  /// Returns how long the filter contains a key at least; absent if the filter does not forget.
  [[nodiscard]] std::optional<Window> window() const { return held_->window(); }

  /// Estimates the number of distinct keys from the cells (CountEstimatingFilter).
  /// @throws std::logic_error if can_estimate_count() is false.
  [[nodiscard]] double estimate_count() const { return held_->estimate_count(); }

  /// Estimates the numbers of keys in the filter, in the other filter, and in the union of both
  /// (SetEstimatingFilter). Throws ConfigError under the conditions of `merge`, and
  /// std::logic_error if can_estimate_sets() is false.
  [[nodiscard]] SetEstimates estimate_sets(const AnyFilter& other) const {
    return held_->estimate_sets(*other.held_);
  }

  void clear() { held_->clear(); }

  /// Returns whether the filter is a LimitedFilter.
  [[nodiscard]] bool is_limited() const noexcept { return held_->is_limited(); }

  [[nodiscard]] bool can_merge() const noexcept { return held_->can_merge(); }

  [[nodiscard]] bool can_intersect() const noexcept { return held_->can_intersect(); }

  [[nodiscard]] bool can_fold() const noexcept { return held_->can_fold(); }

  [[nodiscard]] bool can_be_grown() const noexcept { return held_->can_be_grown(); }

  [[nodiscard]] bool can_tick() const noexcept { return held_->can_tick(); }

  [[nodiscard]] bool can_estimate_count() const noexcept { return held_->can_estimate_count(); }

  [[nodiscard]] bool can_estimate_sets() const noexcept { return held_->can_estimate_sets(); }

  [[nodiscard]] bool can_erase() const noexcept { return held_->can_erase(); }

  [[nodiscard]] bool can_count_probes() const noexcept { return held_->can_count_probes(); }

  [[nodiscard]] std::string_view name() const noexcept { return held_->name(); }

  /// Returns the name of the probe scheme.
  [[nodiscard]] std::string_view probes() const noexcept { return held_->probes(); }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return held_->num_bits(); }

  /// Returns the contents of the filter's file, without the hash and the notes. The filter must
  /// outlive the image.
  /// @throws std::logic_error if the class cannot be saved. Every variant can be saved.
  [[nodiscard]] FilterImage image() const { return held_->image(); }

  [[nodiscard]] FilterState state() const { return held_->state(); }

  /// Returns whether both filters have the same class (variant, scheme, owner of the memory) and
  /// are equal.
  /// @throws std::logic_error if the class does not have operator==. Every variant has operator==.
  friend bool operator==(const AnyFilter& a, const AnyFilter& b) {
    return a.held_->equals(*b.held_);
  }

 private:
  struct Interface {
    Interface() = default;
    Interface(const Interface&) = default;
    Interface& operator=(const Interface&) = delete;
    virtual ~Interface() = default;
    [[nodiscard]] virtual std::unique_ptr<Interface> clone() const = 0;
    virtual std::uint64_t insert(std::span<const Digest> digests) = 0;
    virtual std::uint64_t insert(std::span<const KeyView> keys, const HashCall& hash) = 0;
    virtual std::uint64_t insert_singly(std::span<const Digest> digests) = 0;
    virtual InsertCount try_insert(std::span<const Digest> digests) = 0;
    virtual InsertCount try_insert(std::span<const KeyView> keys, const HashCall& hash) = 0;
    virtual void contains(std::span<const Digest> digests,
                          std::span<bool> answers) const noexcept = 0;
    virtual void contains(std::span<const KeyView> keys, const HashCall& hash,
                          std::span<bool> answers) const noexcept = 0;
    [[nodiscard]] virtual std::uint64_t count_positives(
        std::span<const Digest> digests) const noexcept = 0;
    [[nodiscard]] virtual std::uint64_t count_positives_singly(
        std::span<const Digest> digests) const noexcept = 0;
    virtual void count_set_probes(std::span<const Digest> digests,
                                  std::span<std::uint64_t> histogram) const = 0;
    virtual std::uint64_t erase(std::span<const Digest> digests) = 0;
    virtual std::uint64_t erase_singly(std::span<const Digest> digests) = 0;
    virtual void merge(const Interface& other) = 0;
    virtual void intersect(const Interface& other) = 0;
    [[nodiscard]] virtual std::unique_ptr<Interface> fold(std::uint64_t divisor) const = 0;
    virtual void grow() = 0;
    virtual void tick() = 0;
    virtual void age(std::span<const Digest> digests,
                     std::span<std::optional<std::uint64_t>> ages) const = 0;
    [[nodiscard]] virtual std::optional<Window> window() const = 0;
    [[nodiscard]] virtual double estimate_count() const = 0;
    [[nodiscard]] virtual SetEstimates estimate_sets(const Interface& other) const = 0;
    virtual void clear() = 0;
    [[nodiscard]] virtual bool is_limited() const noexcept = 0;
    [[nodiscard]] virtual bool can_merge() const noexcept = 0;
    [[nodiscard]] virtual bool can_intersect() const noexcept = 0;
    [[nodiscard]] virtual bool can_fold() const noexcept = 0;
    [[nodiscard]] virtual bool can_be_grown() const noexcept = 0;
    [[nodiscard]] virtual bool can_tick() const noexcept = 0;
    [[nodiscard]] virtual bool can_estimate_count() const noexcept = 0;
    [[nodiscard]] virtual bool can_estimate_sets() const noexcept = 0;
    [[nodiscard]] virtual bool can_erase() const noexcept = 0;
    [[nodiscard]] virtual bool can_count_probes() const noexcept = 0;
    [[nodiscard]] virtual std::string_view name() const noexcept = 0;
    [[nodiscard]] virtual std::string_view probes() const noexcept = 0;
    /// Returns a pointer to the filter if the filter has the given class, otherwise null.
    [[nodiscard]] virtual const void* filter_if(const std::type_info& type) const noexcept = 0;
    [[nodiscard]] virtual std::uint64_t num_bits() const noexcept = 0;
    [[nodiscard]] virtual FilterState state() const = 0;
    [[nodiscard]] virtual FilterImage image() const = 0;
    [[nodiscard]] virtual bool equals(const Interface& other) const = 0;

    // The base class formats the error messages, because the template Held is compiled for about
    // eighty classes.
    [[noreturn]] void refuse(const char* what) const {
      throw std::logic_error(std::string(name()) + " with probes " + std::string(probes()) +
                             " cannot " + what);
    }

    [[noreturn]] void refuse_variant(const char* why) const {
      throw std::logic_error(std::string(name()) + why);
    }

    [[noreturn]] void refuse_unlike(const Interface& other) const {
      require_equal("variant", name(), other.name());
      require_equal("probes", probes(), other.probes());
      throw ConfigError("both filters must be of the same class, got two that are named " +
                        std::string(name()));
    }
  };

  template <Filter F>
  struct Held final : Interface {
    explicit Held(F f) : filter(std::move(f)) {}

    [[nodiscard]] std::unique_ptr<Interface> clone() const override {
      return std::make_unique<Held>(*this);
    }

    std::uint64_t insert(std::span<const Digest> digests) override {
      return insert_all(filter, digests);
    }

    std::uint64_t insert(std::span<const KeyView> keys, const HashCall& hash) override {
      return insert_chunks(filter, CalledChunks<kUpdateKeysOf<F>>(hash, keys));
    }

    std::uint64_t insert_singly(std::span<const Digest> digests) override {
      std::uint64_t num_new = 0;
      for (const Digest& digest : digests) {
        num_new += static_cast<std::uint64_t>(filter.insert(digest));
      }
      return num_new;
    }

    InsertCount try_insert(std::span<const Digest> digests) override {
      return try_insert_all(filter, digests);
    }

    InsertCount try_insert(std::span<const KeyView> keys, const HashCall& hash) override {
      return try_insert_chunks(filter, CalledChunks<kUpdateKeysOf<F>>(hash, keys));
    }

    void contains(std::span<const Digest> digests,
                  std::span<bool> answers) const noexcept override {
      contains_each(filter, digests, answers);
    }

    void contains(std::span<const KeyView> keys, const HashCall& hash,
                  std::span<bool> answers) const noexcept override {
      query_chunks(filter, CalledChunks<kQueryKeysOf<F>>(hash, keys), BoolAnswers(answers));
    }

    [[nodiscard]] std::uint64_t count_positives(
        std::span<const Digest> digests) const noexcept override {
      return bloometry::count_positives(filter, digests);
    }

    [[nodiscard]] std::uint64_t count_positives_singly(
        std::span<const Digest> digests) const noexcept override {
      std::uint64_t num_positives = 0;
      for (const Digest& digest : digests) {
        num_positives += static_cast<std::uint64_t>(filter.contains(digest));
      }
      return num_positives;
    }

    void count_set_probes(std::span<const Digest> digests,
                          std::span<std::uint64_t> histogram) const override {
      if constexpr (ProbeCountingFilter<F>) {
        bloometry::count_set_probes(filter, digests, histogram);
      } else {
        refuse_variant(" does not have a fixed number of probes, so set probes cannot be counted");
      }
    }

    std::uint64_t erase(std::span<const Digest> digests) override {
      if constexpr (ErasableFilter<F>) return erase_all(filter, digests);
      refuse_variant(" cannot erase");
    }

    std::uint64_t erase_singly(std::span<const Digest> digests) override {
      if constexpr (ErasableFilter<F>) {
        std::uint64_t num_erased = 0;
        for (const Digest& digest : digests) {
          num_erased += static_cast<std::uint64_t>(filter.erase(digest));
        }
        return num_erased;
      }
      refuse_variant(" cannot erase");
    }

    void merge(const Interface& other) override {
      if constexpr (MergeableFilter<F>) {
        return with_its_like(other, [this](const auto& theirs) { filter.merge(theirs); });
      }
      refuse("be merged");
    }

    void intersect(const Interface& other) override {
      if constexpr (IntersectableFilter<F>) {
        return with_its_like(other, [this](const auto& theirs) { filter.intersect(theirs); });
      }
      refuse("be intersected");
    }

    [[nodiscard]] std::unique_ptr<Interface> fold(std::uint64_t divisor) const override {
      if constexpr (FoldableFilter<F>) {
        using Folded = decltype(filter.fold(divisor));
        return std::make_unique<Held<Folded>>(filter.fold(divisor));
      }
      refuse("be folded");
    }

    void grow() override {
      if constexpr (GrowableFilter<F>) return filter.grow();
      refuse_variant(" cannot be grown");
    }

    void tick() override {
      if constexpr (ForgettingFilter<F>) return filter.tick();
      refuse_variant(" does not forget");
    }

    void age(std::span<const Digest> digests,
             std::span<std::optional<std::uint64_t>> ages) const override {
      if constexpr (ForgettingFilter<F>) {
        for (std::size_t i = 0; i < digests.size(); ++i) ages[i] = filter.age(digests[i]);
        return;
      }
      refuse_variant(" does not forget");
    }

    [[nodiscard]] std::optional<Window> window() const override {
      if constexpr (ForgettingFilter<F>) return filter.window();
      return std::nullopt;
    }

    [[nodiscard]] double estimate_count() const override {
      if constexpr (CountEstimatingFilter<F>) return filter.estimate_count();
      refuse("estimate its number of keys");
    }

    [[nodiscard]] SetEstimates estimate_sets(const Interface& other) const override {
      if constexpr (SetEstimatingFilter<F>) {
        SetEstimates estimates;
        with_its_like(other, [&](const auto& theirs) { estimates = filter.estimate_sets(theirs); });
        return estimates;
      }
      refuse("estimate union and intersection");
    }

    void clear() override { filter.clear(); }

    [[nodiscard]] bool is_limited() const noexcept override { return LimitedFilter<F>; }

    [[nodiscard]] bool can_merge() const noexcept override { return MergeableFilter<F>; }

    [[nodiscard]] bool can_intersect() const noexcept override { return IntersectableFilter<F>; }

    [[nodiscard]] bool can_fold() const noexcept override { return FoldableFilter<F>; }

    [[nodiscard]] bool can_be_grown() const noexcept override { return GrowableFilter<F>; }

    [[nodiscard]] bool can_tick() const noexcept override { return ForgettingFilter<F>; }

    [[nodiscard]] bool can_estimate_count() const noexcept override {
      return CountEstimatingFilter<F>;
    }

    [[nodiscard]] bool can_estimate_sets() const noexcept override {
      return SetEstimatingFilter<F>;
    }

    [[nodiscard]] bool can_erase() const noexcept override { return ErasableFilter<F>; }

    [[nodiscard]] bool can_count_probes() const noexcept override { return ProbeCountingFilter<F>; }

    [[nodiscard]] std::string_view name() const noexcept override { return F::kName; }

    [[nodiscard]] std::string_view probes() const noexcept override { return SchemeOf<F>::kName; }

    [[nodiscard]] const void* filter_if(const std::type_info& type) const noexcept override {
      return type == typeid(F) ? &filter : nullptr;
    }

    [[nodiscard]] std::uint64_t num_bits() const noexcept override { return filter.num_bits(); }

    [[nodiscard]] FilterState state() const override { return filter.state(); }

    [[nodiscard]] FilterImage image() const override {
      if constexpr (StorableFilter<F>) return image_of(filter);
      refuse_variant(" cannot be kept in a file");
    }

    [[nodiscard]] bool equals(const Interface& other) const override {
      if constexpr (std::equality_comparable<F>) {
        const void* theirs = other.filter_if(typeid(F));
        return theirs != nullptr && filter == *static_cast<const F*>(theirs);
      }
      refuse_variant(" cannot be compared");
    }

    /// Calls call(filter) with the filter of `other`, which must have the same variant and scheme.
    /// The other filter may own or borrow its memory.
    /// @throws ConfigError if the variants or the schemes of the filters differ.
    template <class Call>
    void with_its_like(const Interface& other, Call call) const {
      if (call_if<F>(other, call)) return;
      if constexpr (BorrowingFilter<F>) {
        if (call_if<typename F::template WithMemory<OwnedMemory>>(other, call)) return;
        if (call_if<typename F::template WithMemory<BorrowedMemory>>(other, call)) return;
      }
      refuse_unlike(other);
    }

    template <class G, class Call>
    static bool call_if(const Interface& other, Call& call) {
      const void* theirs = other.filter_if(typeid(G));
      if (theirs != nullptr) call(*static_cast<const G*>(theirs));
      return theirs != nullptr;
    }

    F filter;
  };

  explicit AnyFilter(std::unique_ptr<Interface> held) noexcept : held_(std::move(held)) {}

  std::unique_ptr<Interface> held_;
};

}  // namespace bloometry
