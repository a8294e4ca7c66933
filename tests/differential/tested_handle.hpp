#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "core/error.hpp"
#include "core/hash/xxh3_hasher.hpp"
#include "core/probe/limits.hpp"
#include "tests/differential/tested_filter.hpp"
#include "tests/support/variant_schemes.hpp"

namespace bloometry::test {

/// A filter of a class in the registry, accessed through AnyFilter.
class TestedHandle final : public TestedFilter {
 public:
  TestedHandle(AnyFilter filter, std::uint64_t seed) : filter_(std::move(filter)), hasher_(seed) {}

  [[nodiscard]] Abilities abilities() const override {
    return {.erase = filter_.can_erase(),
            .merge = filter_.can_merge(),
            .intersect = filter_.can_intersect(),
            .fold = filter_.can_fold(),
            .tick = filter_.can_tick(),
            .estimate_count = filter_.can_estimate_count(),
            .probe_count = filter_.can_count_probes(),
            .assign = true};
  }

  Insertion insert_one(Key key) override {
    try {
      return test::insert_one(filter_, digest_of(key)) ? Insertion::kNew : Insertion::kKept;
    } catch (const FullError&) {
      return Insertion::kFull;
    }
  }

  [[nodiscard]] bool contains_one(Key key) const override {
    return test::contains_one(filter_, digest_of(key));
  }

  bool erase_one(Key key) override { return test::erase_one(filter_, digest_of(key)); }

  InsertCount insert(std::span<const Key> keys) override {
    return filter_.try_insert(digests_of(keys));
  }

  void contains(std::span<const Key> keys, std::span<bool> answers) const override {
    const std::vector<Digest> digests = digests_of(keys);
    filter_.contains(digests, answers);
    const auto num_positives = static_cast<std::uint64_t>(std::ranges::count(answers, true));
    require(filter_.count_positives(digests) == num_positives,
            "count_positives differs from contains");
  }

  void contains(std::span<const Key> /*keys*/,
                std::span<std::uint64_t> /*answers*/) const override {
    throw Failure("AnyFilter has no answers in bits");
  }

  std::uint64_t erase(std::span<const Key> keys) override {
    return filter_.erase(digests_of(keys));
  }

  void merge(const TestedFilter& other) override { filter_.merge(like(other).filter_); }

  void intersect(const TestedFilter& other) override { filter_.intersect(like(other).filter_); }

  [[nodiscard]] std::unique_ptr<TestedFilter> fold(std::uint64_t divisor) const override {
    return std::make_unique<TestedHandle>(filter_.fold(divisor), hasher_.seed());
  }

  void clear() override { filter_.clear(); }

  void tick() override { filter_.tick(); }

  [[nodiscard]] std::unique_ptr<TestedFilter> copy() const override {
    return std::make_unique<TestedHandle>(filter_, hasher_.seed());
  }

  void assign(const TestedFilter& other) override { filter_ = like(other).filter_; }

  void assign_itself() override {
    const AnyFilter& itself = filter_;
    filter_ = itself;
  }

  void move_there_and_back() override {
    AnyFilter elsewhere(std::move(filter_));
    filter_ = std::move(elsewhere);
  }

  void swap(TestedFilter& other) override {
    std::swap(filter_, static_cast<TestedHandle&>(other).filter_);
  }

  [[nodiscard]] FilterState state() const override { return filter_.state(); }

  [[nodiscard]] double estimate_count() const override { return filter_.estimate_count(); }

  [[nodiscard]] unsigned num_set_probes(Key key, unsigned num_hashes) const override {
    std::array<std::uint64_t, kMaxNumHashes + 1> histogram{};
    const auto counts = std::span(histogram).first(num_hashes + 1);
    filter_.count_set_probes(just(digest_of(key)), counts);
    return static_cast<unsigned>(std::ranges::find(counts, 1U) - counts.begin());
  }

  [[nodiscard]] bool equals(const TestedFilter& other) const override {
    return filter_ == like(other).filter_;
  }

  [[nodiscard]] std::span<const std::uint64_t> words() const override { return {}; }

 private:
  static const TestedHandle& like(const TestedFilter& other) {
    return dynamic_cast<const TestedHandle&>(other);
  }

  [[nodiscard]] Digest digest_of(Key key) const noexcept { return hasher_(IntegerKey(key).view()); }

  [[nodiscard]] std::vector<Digest> digests_of(std::span<const Key> keys) const {
    std::vector<Digest> digests(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) digests[i] = digest_of(keys[i]);
    return digests;
  }

  AnyFilter filter_;
  Xxh3Hasher hasher_;
};

}  // namespace bloometry::test
