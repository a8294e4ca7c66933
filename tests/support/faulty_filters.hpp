#pragma once

#include <cstdint>
#include <string_view>

#include "core/filter/rate_given_state.hpp"
#include "variants/standard/standard_filter.hpp"

/// Filters that are wrong on purpose, to see that the verdict notices. Each says of itself what an
/// honest standard filter would say. Here only: nothing in the product plants faults.
namespace bloometry::test {

/// Every 50th insert is dropped.
class DroppingFilter {
 public:
  static constexpr std::string_view kName = "standard";
  static constexpr ProbeModel kModel = ProbeModel::kWithReplacement;

  [[nodiscard]] static Geometry geometry(const FilterSpec& spec) {
    return StandardFilter::geometry(spec);
  }

  explicit DroppingFilter(const FilterSpec& spec) : filter_(spec) {}

  bool insert(const Digest& digest) noexcept {
    return ++num_inserts_ % 50 != 0 && filter_.insert(digest);
  }

  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    return filter_.contains(digest);
  }

  void clear() noexcept { filter_.clear(); }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return filter_.num_bits(); }

  [[nodiscard]] FilterState state() const noexcept { return filter_.state(); }

 private:
  StandardFilter filter_;
  std::uint64_t num_inserts_ = 0;
};

static_assert(Filter<DroppingFilter>);

/// Remix probes that never reach the last tenth of their range.
class NarrowProbes {
 public:
  static constexpr std::string_view kName = "remix";
  static constexpr ProbeModel kModel = ProbeModel::kWithReplacement;
  static constexpr bool kFollowsModel = true;

  constexpr NarrowProbes(const Digest& digest, std::uint64_t range) noexcept
      : probes_(digest, range - range / 10) {}

  constexpr std::uint64_t next() noexcept { return probes_.next(); }

 private:
  RemixProbes probes_;
};

/// Probes restricted to 90 % of m.
using NarrowFilter = BasicStandardFilter<NarrowProbes>;

static_assert(Filter<NarrowFilter>);

/// Probes k - 1 times and says k: theory is asked for one hash more than there are.
class ShortOfAHashFilter {
 public:
  static constexpr std::string_view kName = "standard";
  static constexpr ProbeModel kModel = ProbeModel::kWithReplacement;

  [[nodiscard]] static Geometry geometry(const FilterSpec& spec) {
    return StandardFilter::geometry(spec);
  }

  explicit ShortOfAHashFilter(const FilterSpec& spec)
      : filter_(with_a_hash_less(geometry(spec))), num_hashes_(geometry(spec).num_hashes) {}

  bool insert(const Digest& digest) noexcept { return filter_.insert(digest); }

  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    return filter_.contains(digest);
  }

  void clear() noexcept { filter_.clear(); }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return filter_.num_bits(); }

  [[nodiscard]] FilterState state() const noexcept {
    FilterState state = filter_.state();
    state.conditional_false_positive_rate =
        rate_given_ones(kModel, state.num_ones, num_bits(), num_hashes_);
    return state;
  }

 private:
  static Geometry with_a_hash_less(Geometry geometry) {
    --geometry.num_hashes;
    return geometry;
  }

  StandardFilter filter_;
  unsigned num_hashes_;
};

static_assert(Filter<ShortOfAHashFilter>);

}  // namespace bloometry::test
