#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "core/any_filter/keyed.hpp"
#include "core/error.hpp"
#include "core/store/memory.hpp"
#include "tests/differential/tested_filter.hpp"

namespace bloometry::test {

template <class F>
struct LendsMemory : std::false_type {};

template <class F>
requires std::constructible_from<F, const FilterSpec&, const BorrowedMemory&>

struct LendsMemory<F> : std::true_type {
};

/// A filter class that is combined with a hasher, as in the code of users. TestedKeyed tests
/// features that AnyFilter lacks: answers in bits, moves and copies of the filter itself, borrowed
/// and atomic memory.
template <Filter F>
class TestedKeyed final : public TestedFilter {
 public:
  TestedKeyed(const FilterSpec& spec, std::uint64_t seed)
      : spec_(spec), lent_(num_lent_words(spec)), keyed_(make(), Xxh3Hasher(seed)) {
    std::fill(guard(), lent_.data() + lent_.size(), kGuard);
  }

  TestedKeyed(Keyed<F> keyed, const FilterSpec& spec) : spec_(spec), keyed_(std::move(keyed)) {}

  [[nodiscard]] Abilities abilities() const override {
    return {.erase = ErasableFilter<F>,
            .merge = MergeableFilter<F>,
            .intersect = IntersectableFilter<F>,
            .fold = FoldableFilter<F>,
            .tick = ForgettingFilter<F>,
            .estimate_count = CountEstimatingFilter<F>,
            .probe_count = ProbeCountingFilter<F>,
            .bit_answers = true,
            .assign = !kBorrows};
  }

  Insertion insert_one(Key key) override {
    if constexpr (LimitedFilter<F>) {
      return keyed_.try_insert(key);
    } else {
      return keyed_.insert(key) ? Insertion::kNew : Insertion::kKept;
    }
  }

  [[nodiscard]] bool contains_one(Key key) const override { return keyed_.contains(key); }

  bool erase_one(Key key) override {
    if constexpr (ErasableFilter<F>) return keyed_.erase(key);
    throw Failure("erase of a filter that cannot");
  }

  InsertCount insert(std::span<const Key> keys) override {
    if constexpr (LimitedFilter<F>) {
      return keyed_.try_insert(keys);
    } else {
      return {.num_inserted = keys.size(), .num_new = keyed_.insert(keys)};
    }
  }

  void contains(std::span<const Key> keys, std::span<bool> answers) const override {
    keyed_.contains(keys, answers);
  }

  void contains(std::span<const Key> keys, std::span<std::uint64_t> answers) const override {
    keyed_.contains(keys, answers);
  }

  std::uint64_t erase(std::span<const Key> keys) override {
    if constexpr (ErasableFilter<F>) return keyed_.erase(keys);
    throw Failure("erase of a filter that cannot");
  }

  void merge(const TestedFilter& other) override {
    if constexpr (MergeableFilter<F>) keyed_.merge(like(other).keyed_);
  }

  void intersect(const TestedFilter& other) override {
    if constexpr (IntersectableFilter<F>) keyed_.intersect(like(other).keyed_);
  }

  [[nodiscard]] std::unique_ptr<TestedFilter> fold(std::uint64_t divisor) const override {
    if constexpr (FoldableFilter<F>) {
      using Folded = std::remove_cvref_t<decltype(keyed_.fold(divisor).filter())>;
      return std::make_unique<TestedKeyed<Folded>>(keyed_.fold(divisor), spec_);
    }
    throw Failure("fold of a filter that cannot");
  }

  void clear() override { keyed_.clear(); }

  void tick() override {
    if constexpr (ForgettingFilter<F>) return keyed_.tick();
    throw Failure("tick of a filter that does not forget");
  }

  [[nodiscard]] std::unique_ptr<TestedFilter> copy() const override {
    if constexpr (!kBorrows) return std::make_unique<TestedKeyed>(keyed_, spec_);
    auto twin = std::make_unique<TestedKeyed>(spec_, keyed_.hasher().seed());
    std::copy_n(lent_.data(), lent_.size(), twin->lent_.data());
    return twin;
  }

  void assign(const TestedFilter& other) override {
    assert(!kBorrows);
    keyed_ = like(other).keyed_;
    spec_ = like(other).spec_;
  }

  void assign_itself() override {
    const Keyed<F>& itself = keyed_;
    keyed_ = itself;
  }

  void move_there_and_back() override {
    Keyed<F> elsewhere(std::move(keyed_));
    keyed_ = std::move(elsewhere);
  }

  void swap(TestedFilter& other) override {
    auto& theirs = dynamic_cast<TestedKeyed&>(other);
    std::swap(keyed_, theirs.keyed_);
    std::swap(lent_, theirs.lent_);
    std::swap(spec_, theirs.spec_);
  }

  [[nodiscard]] FilterState state() const override { return keyed_.filter().state(); }

  [[nodiscard]] double estimate_count() const override {
    if constexpr (CountEstimatingFilter<F>) return keyed_.estimate_count();
    throw Failure("estimate of a filter that has none");
  }

  [[nodiscard]] unsigned num_set_probes(Key key, unsigned num_hashes) const override {
    if constexpr (ProbeCountingFilter<F>) {
      require(keyed_.filter().num_hashes() == num_hashes, "num_hashes differs from the spec");
      return keyed_.filter().num_set_probes(keyed_.hasher()(IntegerKey(key).view()));
    }
    throw Failure("probes counted by a filter that cannot");
  }

  [[nodiscard]] bool equals(const TestedFilter& other) const override {
    if (const auto* same = dynamic_cast<const TestedKeyed*>(&other)) {
      return keyed_.filter() == same->keyed_.filter();
    }
    // A folded filter owns its memory, even if the original filter did not.
    return !words().empty() && std::ranges::equal(words(), other.words());
  }

  [[nodiscard]] std::span<const std::uint64_t> words() const override {
    if constexpr (requires { keyed_.filter().bits(); }) return keyed_.filter().bits().words();
    if (kBorrows) return {lent_.data(), lent_.size() - kGuardWords};
    return {};
  }

  void check_lending() const override {
    if constexpr (kBorrows) {
      require(std::all_of(guard(), lent_.data() + lent_.size(),
                          [](std::uint64_t word) { return word == kGuard; }),
              "memory past the borrowed words was written");
      AlignedWords other(lent_.size());
      const std::uint64_t num_words = lent_.size() - kGuardWords;
      for (const std::uint64_t offset : {1, 3, 7}) {
        require(is_refused({other.data() + offset, num_words}), "misaligned memory was accepted");
      }
      require(is_refused({other.data(), num_words - 1}), "memory too short was accepted");
      require(is_refused({}), "no memory was accepted");
      require(!is_refused({other.data(), num_words}), "memory that fits was refused");
    }
  }

 private:
  static constexpr bool kBorrows = LendsMemory<F>::value;
  static constexpr std::uint64_t kGuardWords = 8;
  static constexpr std::uint64_t kGuard = 0x5a5a5a5a5a5a5a5aULL;

  static const TestedKeyed& like(const TestedFilter& other) {
    return dynamic_cast<const TestedKeyed&>(other);
  }

  static std::uint64_t num_lent_words(const FilterSpec& spec) {
    if constexpr (kBorrows) return F::num_words_for(F::geometry(spec)) + kGuardWords;
    return 0;
  }

  /// Makes a filter. A borrowing filter receives more memory than it needs. check_lending() checks
  /// that the excess memory is unchanged.
  F make() {
    if constexpr (kBorrows) {
      return F(spec_, memory_of({lent_.data(), lent_.size()}));
    } else {
      return F(spec_);
    }
  }

  static auto memory_of(std::span<std::uint64_t> words) { return BorrowedMemory{words}; }

  [[nodiscard]] bool is_refused(std::span<std::uint64_t> words) const {
    try {
      static_cast<void>(F(spec_, memory_of(words)));
      return false;
    } catch (const ConfigError&) {
      return true;
    }
  }

  [[nodiscard]] const std::uint64_t* guard() const {
    return lent_.data() + (kBorrows ? lent_.size() - kGuardWords : 0);
  }

  std::uint64_t* guard() { return lent_.data() + (kBorrows ? lent_.size() - kGuardWords : 0); }

  FilterSpec spec_;
  AlignedWords lent_;
  Keyed<F> keyed_;
};

}  // namespace bloometry::test
