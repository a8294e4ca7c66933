#pragma once

#include <cstdint>
#include <set>
#include <string_view>

#include "core/error.hpp"
#include "core/hash/mix.hpp"
#include "core/rates/rate_given_state.hpp"
#include "core/store/counter_array.hpp"
#include "variants/counting/counting_filter.hpp"
#include "variants/standard/standard_filter.hpp"

/// Filters with one deliberate defect each. Each filter reports the name and state of the correct
/// filter. The library does not contain the defective filters. tests/statistical/README.md contains
/// the measured rates.
namespace bloometry::test {

/// A filter that drops one insert in `one_in`. The dropped members are false negatives. The rate
/// depends only on the members that are not dropped.
template <unsigned one_in>
class DroppingFilter {
 public:
  static constexpr std::string_view kName = "standard";
  static constexpr ProbeModel kModel = ProbeModel::kWithReplacement;

  [[nodiscard]] static Geometry geometry(const FilterSpec& spec) {
    return StandardFilter::geometry(spec);
  }

  explicit DroppingFilter(const FilterSpec& spec) : filter_(spec) {}

  bool insert(const Digest& digest) noexcept {
    return ++num_inserts_ % one_in != 0 && filter_.insert(digest);
  }

  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    return filter_.contains(digest);
  }

  void clear() noexcept { filter_.clear(); }

  [[nodiscard]] unsigned num_hashes() const noexcept { return filter_.num_hashes(); }

  [[nodiscard]] unsigned num_set_probes(const Digest& digest) const noexcept {
    return filter_.num_set_probes(digest);
  }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return filter_.num_bits(); }

  [[nodiscard]] FilterState state() const noexcept { return filter_.state(); }

 private:
  StandardFilter filter_;
  std::uint64_t num_inserts_ = 0;
};

static_assert(ProbeCountingFilter<DroppingFilter<50>>);

/// Remix probes that never reach the last tenth of their range. At 10 bits per key and k = 7, the
/// defect gives 2.1 times the rate that follows from the fill.
class NarrowProbes {
 public:
  static constexpr std::string_view kName = "remix";
  static constexpr ProbeModel kModel = ProbeModel::kWithReplacement;
  static constexpr bool kFollowsModel = true;

  constexpr NarrowProbes(const Digest& digest, std::uint64_t range) noexcept
      : probes_(digest, reached(range)) {}

  constexpr std::uint64_t next(std::uint64_t range) noexcept {
    return probes_.next(reached(range));
  }

 private:
  static constexpr std::uint64_t reached(std::uint64_t range) noexcept {
    return range - range / 10;
  }

  RemixProbes probes_;
};

using NarrowFilter = BasicStandardFilter<NarrowProbes>;

static_assert(Filter<NarrowFilter>);

/// Remix probes whose second probe repeats the first probe. The effective number of probes is one
/// less than k, and the fill equals the fill of a filter with one probe less.
class RepeatingProbes {
 public:
  static constexpr std::string_view kName = "remix";
  static constexpr ProbeModel kModel = ProbeModel::kWithReplacement;
  static constexpr bool kFollowsModel = true;

  constexpr RepeatingProbes(const Digest& digest, std::uint64_t range) noexcept
      : probes_(digest, range), first_(RemixProbes(digest, range).next(range)) {}

  constexpr std::uint64_t next(std::uint64_t range) noexcept {
    return num_drawn_++ == 0 ? first_ : probes_.next(range);
  }

 private:
  RemixProbes probes_;
  std::uint64_t first_;
  unsigned num_drawn_ = 0;
};

using RepeatingFilter = BasicStandardFilter<RepeatingProbes>;

static_assert(ProbeCountingFilter<RepeatingFilter>);

/// A filter that makes k + difference probes per key and reports k. At 10 bits per key and k = 7, a
/// difference of -1 gives 2.2 times the rate that follows from the fill and k.
template <int difference>
class MiscountingFilter {
 public:
  static constexpr std::string_view kName = "standard";
  static constexpr ProbeModel kModel = ProbeModel::kWithReplacement;

  [[nodiscard]] static Geometry geometry(const FilterSpec& spec) {
    return StandardFilter::geometry(spec);
  }

  explicit MiscountingFilter(const FilterSpec& spec)
      : filter_(miscounted(geometry(spec))), num_hashes_(geometry(spec).num_hashes) {}

  bool insert(const Digest& digest) noexcept { return filter_.insert(digest); }

  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    return filter_.contains(digest);
  }

  void clear() noexcept { filter_.clear(); }

  [[nodiscard]] unsigned num_hashes() const noexcept { return num_hashes_; }

  [[nodiscard]] unsigned num_set_probes(const Digest& digest) const noexcept {
    return filter_.num_set_probes(digest);
  }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return filter_.num_bits(); }

  [[nodiscard]] FilterState state() const noexcept {
    FilterState state = filter_.state();
    state.conditional_false_positive_rate =
        rate_given_ones(kModel, state.num_ones, num_bits(), num_hashes_);
    return state;
  }

 private:
  static Geometry miscounted(Geometry geometry) {
    geometry.num_hashes = static_cast<unsigned>(static_cast<int>(geometry.num_hashes) + difference);
    return geometry;
  }

  StandardFilter filter_;
  unsigned num_hashes_;
};

static_assert(ProbeCountingFilter<MiscountingFilter<-1>>);

/// A standard filter with one hash. Absent keys test positive 1 + excess times as often as the
/// filter's bits imply.
class RaisedRateFilter {
 public:
  static constexpr std::string_view kName = "standard";
  static constexpr ProbeModel kModel = ProbeModel::kWithReplacement;

  [[nodiscard]] static Geometry geometry(const FilterSpec& spec) {
    return StandardFilter::geometry(spec);
  }

  explicit RaisedRateFilter(const FilterSpec& spec, double excess = 0.1)
      : filter_(spec), excess_(excess) {
    if (filter_.num_hashes() != 1) throw ConfigError("num_hashes must be 1");
  }

  bool insert(const Digest& digest) noexcept {
    const bool changed = filter_.insert(digest);
    num_ones_ += changed ? 1U : 0U;  // one hash sets one bit
    return changed;
  }

  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    // A further share of the absent keys tests positive, so that the rate is 1 + excess times the
    // correct rate.
    const double rate = static_cast<double>(num_ones_) / static_cast<double>(num_bits());
    const double share = excess_ * rate / (1 - rate);
    return filter_.contains(digest) || static_cast<double>(mix64(digest.hi)) < share * 0x1p64;
  }

  void clear() noexcept {
    filter_.clear();
    num_ones_ = 0;
  }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return filter_.num_bits(); }

  [[nodiscard]] FilterState state() const noexcept { return filter_.state(); }

 private:
  StandardFilter filter_;
  double excess_;
  std::uint64_t num_ones_ = 0;
};

static_assert(Filter<RaisedRateFilter>);

/// Remix probes of a digest whose top bit is always 1. The first probe never reaches the lower half
/// of the cells; the other probes are correct. At 10 bits per key and k = 7, the rate is 10 % above
/// the rate that follows from the fill.
class StuckBitProbes {
 public:
  static constexpr std::string_view kName = "remix";
  static constexpr ProbeModel kModel = ProbeModel::kWithReplacement;
  static constexpr bool kFollowsModel = true;

  constexpr StuckBitProbes(const Digest& digest, std::uint64_t range) noexcept
      : probes_({digest.lo | std::uint64_t{1} << 63U, digest.hi}, range) {}

  constexpr std::uint64_t next(std::uint64_t range) noexcept { return probes_.next(range); }

 private:
  RemixProbes probes_;
};

using StuckBitFilter = BasicStandardFilter<StuckBitProbes>;

static_assert(ProbeCountingFilter<StuckBitFilter>);

/// Double hashing modulo m with an even stride, where m is a power of two. The cycle of a key's
/// probes is short, and the progressions of two keys often coincide. At m = 1024 and n = 100 the
/// rate is 47 % too high.
class EvenStrideProbes {
 public:
  static constexpr std::string_view kName = "remix";
  static constexpr ProbeModel kModel = ProbeModel::kWithReplacement;
  static constexpr bool kFollowsModel = true;

  constexpr EvenStrideProbes(const Digest& digest, std::uint64_t range) noexcept
      : EvenStrideProbes(digest.lo % range, 2 * digest.hi % range) {}

  constexpr EvenStrideProbes(std::uint64_t start, std::uint64_t stride) noexcept
      : index_(start), stride_(stride) {}

  constexpr std::uint64_t next(std::uint64_t range) noexcept {
    const std::uint64_t index = index_;
    index_ = add_modulo(index_, stride_, range);
    return index;
  }

 private:
  std::uint64_t index_;
  std::uint64_t stride_;
};

using EvenStrideFilter = BasicStandardFilter<EvenStrideProbes>;

static_assert(ProbeCountingFilter<EvenStrideFilter>);

/// A counting filter that omits one decrement in 10^4, selected by a pseudo-random draw. Some cells
/// of erased keys stay set.
class ForgetfulCountingFilter {
 public:
  static constexpr std::string_view kName = "counting";
  static constexpr ProbeModel kModel = ProbeModel::kWithReplacement;
  static constexpr double kForgottenShare = 1e-4;

  [[nodiscard]] static Geometry geometry(const FilterSpec& spec) {
    return CountingFilter::geometry(spec);
  }

  explicit ForgetfulCountingFilter(const FilterSpec& spec, std::uint64_t seed = 0)
      : counters_(geometry(spec).num_cells, geometry(spec).cell_bits),
        num_hashes_(geometry(spec).num_hashes),
        coin_(mix64(seed)) {}

  bool insert(const Digest& digest) {
    bool some_was_zero = false;
    for (const std::uint64_t position : positions(digest)) {
      some_was_zero |= counters_.get(position) == 0;
      counters_.add_saturating(position, 1);
    }
    return some_was_zero;
  }

  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    return num_set_probes(digest) == num_hashes_;
  }

  bool erase(const Digest& digest) noexcept {
    if (!contains(digest)) return false;
    for (const std::uint64_t position : positions(digest)) {
      ++num_decrements_;
      coin_ += kGoldenGamma;
      if (static_cast<double>(mix64(coin_)) < kForgottenShare * 0x1p64) continue;
      counters_.set(position, counters_.get(position) - 1);
    }
    return true;
  }

  void clear() noexcept { counters_.clear(); }

  [[nodiscard]] unsigned num_hashes() const noexcept { return num_hashes_; }

  [[nodiscard]] unsigned num_set_probes(const Digest& digest) const noexcept {
    unsigned num_set = 0;
    RemixProbes probes(digest, counters_.size());
    for (unsigned i = 0; i < num_hashes_; ++i) {
      num_set += counters_.get(probes.next(counters_.size())) > 0 ? 1U : 0U;
    }
    return num_set;
  }

  /// Returns the number of decrements that the erases required, including the omitted decrements.
  [[nodiscard]] std::uint64_t num_decrements() const noexcept { return num_decrements_; }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return counters_.num_bits(); }

  [[nodiscard]] FilterState state() const noexcept {
    const std::uint64_t nonzero = counters_.count_nonzero();
    return {.num_bits = num_bits(),
            .num_counters = counters_.size(),
            .num_ones = nonzero,
            .num_saturated = 0,
            .num_refused_erases = 0,
            .num_skipped_decrements = 0,
            .conditional_false_positive_rate =
                rate_given_ones(kModel, nonzero, counters_.size(), num_hashes_)};
  }

 private:
  [[nodiscard]] std::set<std::uint64_t> positions(const Digest& digest) const {
    std::set<std::uint64_t> distinct;
    RemixProbes probes(digest, counters_.size());
    for (unsigned i = 0; i < num_hashes_; ++i) distinct.insert(probes.next(counters_.size()));
    return distinct;
  }

  CounterArray<> counters_;
  unsigned num_hashes_;
  std::uint64_t coin_;
  std::uint64_t num_decrements_ = 0;
};

static_assert(ProbeCountingFilter<ForgetfulCountingFilter>);

}  // namespace bloometry::test
