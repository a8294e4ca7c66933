#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

/// Searches for sizes and for the best k. The sizing of filters uses these searches.
namespace bloometry {

/// Returns the least x in [lowest, most] for which holds(x) is true, or std::nullopt if holds(most)
/// is false. The predicate holds must be false up to some x and true above that x. The search
/// starts at the guess, doubles its steps and then bisects. The cost of the search depends on the
/// distance from the guess, not on x. Requires lowest >= 1 and most <= 2^62.
template <class Holds>
std::optional<std::uint64_t> least_that_holds(std::uint64_t guess, std::uint64_t lowest,
                                              std::uint64_t most, Holds holds) {
  std::uint64_t high = std::clamp(guess, lowest, most);
  std::uint64_t fails = lowest - 1;
  for (std::uint64_t step = 1; !holds(high); step *= 2) {
    if (high == most) return std::nullopt;
    fails = high;
    high = std::min(high + step, most);
  }
  for (std::uint64_t step = 1; fails == lowest - 1 && high > lowest; step *= 2) {
    const std::uint64_t lower = high - lowest > step ? high - step : lowest;
    (holds(lower) ? high : fails) = lower;
  }
  while (high - fails > 1) {
    const std::uint64_t middle = fails + (high - fails) / 2;
    (holds(middle) ? high : fails) = middle;
  }
  return high;
}

/// Returns the largest x in [0, most) for which holds(x) is true, or std::nullopt if holds(most) is
/// true. The predicate holds must be true at 0, true up to some x and false above that x; it is not
/// called for 0. The search starts at the guess. Requires most <= 2^62.
template <class Holds>
std::optional<std::uint64_t> most_that_holds(std::uint64_t guess, std::uint64_t most, Holds holds) {
  const auto least =
      least_that_holds(guess + 1, 1, most, [&](std::uint64_t x) { return !holds(x); });
  return least ? std::optional(*least - 1) : std::nullopt;
}

/// Returns the k in [fewest, most] with the least rate. If two values of k have the same rate, the
/// function returns the smaller k. The rate must have one minimum in k. The search moves from
/// `start` in steps of 1. The argument `start` must be in [fewest, most].
template <class Rate>
unsigned least_rate_num_hashes(unsigned start, unsigned fewest, unsigned most, Rate rate) {
  unsigned best = start;
  double least = rate(best);
  while (best < most) {
    const double higher = rate(best + 1);
    if (!(higher < least)) break;
    least = higher;
    ++best;
  }
  while (best > fewest) {
    const double lower = rate(best - 1);
    if (lower > least) break;
    least = lower;
    --best;
  }
  return best;
}

/// Calls visit(k) for k = start, then for smaller and for larger k in [fewest, most]. The callback
/// visit returns whether k is better than all earlier k. The function stops in a direction after
/// `patience` calls of visit that returned false.
template <class Visit>
void visit_num_hashes(unsigned start, unsigned fewest, unsigned most, unsigned patience,
                      Visit visit) {
  visit(start);
  unsigned misses = 0;
  for (unsigned k = start - 1; k >= fewest && misses < patience; --k) misses += visit(k) ? 0 : 1;
  misses = 0;
  for (unsigned k = start + 1; k <= most && misses < patience; ++k) misses += visit(k) ? 0 : 1;
}

/// Search for the least size over all tried k, and for the least k with that size. The predicate
/// holds(size, k) must be false up to some size and true above that size.
template <class Holds>
class LeastSize {
 public:
  explicit LeastSize(std::uint64_t most, Holds holds) : most_(most), holds_(std::move(holds)) {}

  /// Selects k as the best if k needs a smaller size than the best k so far. A smaller k with the
  /// same size is also selected. Returns whether k was selected. The search starts at `guess`. The
  /// argument `lowest` is the least size that k can have. For most k, the search needs one call of
  /// `holds`, which returns false at the size of the best k.
  bool try_num_hashes(unsigned k, std::uint64_t guess, std::uint64_t lowest = 1) {
    std::uint64_t most = most_;
    if (size_) {
      most = k < num_hashes_ ? *size_ : *size_ - 1;
      if (most < lowest || !holds_(most, k)) return false;
    }
    const auto least =
        least_that_holds(guess, lowest, most, [&](std::uint64_t size) { return holds_(size, k); });
    if (!least) return false;
    size_ = least;
    num_hashes_ = k;
    return true;
  }

  /// Returns the least size, or std::nullopt if `holds` is false at all sizes of all tried k.
  [[nodiscard]] std::optional<std::uint64_t> size() const noexcept { return size_; }

  [[nodiscard]] unsigned num_hashes() const noexcept { return num_hashes_; }

 private:
  std::uint64_t most_;
  Holds holds_;
  std::optional<std::uint64_t> size_;
  unsigned num_hashes_ = 0;
};

/// Maximum number of blocks in a search. For b up to kMaxSearchedBlocks, a double represents b - 1,
/// b and their mean exactly.
inline constexpr std::uint64_t kMaxSearchedBlocks = std::uint64_t{1} << 50U;

/// Returns the number of blocks at which a search starts. The number is ceil(guess), or
/// kMaxSearchedBlocks + 1 if the guess is above kMaxSearchedBlocks.
inline std::uint64_t guessed_blocks(double guess) noexcept {
  constexpr auto kMost = static_cast<double>(kMaxSearchedBlocks);
  return guess > kMost ? kMaxSearchedBlocks + 1
                       : static_cast<std::uint64_t>(std::max(1.0, std::ceil(guess)));
}

/// Returns whether the rate is below p by at least 1e-12 p. The margin is for rounding: the
/// functions of core/theory sum the same rate in another order, and their result must be at most p
/// too.
inline bool keeps_rate(double rate, double p) noexcept {
  return rate <= p * (1 - 1e-12);
}

/// Returns the least whole number of blocks b at which keeps_rate(rate(b), p) is true, for a rate
/// that decreases with b. Returns infinity if 2^50 blocks are not enough, or if the guess is above
/// 2^50, as for subnormal p.
template <class Rate>
double fewest_blocks(double guess, double p, Rate rate) {
  const std::uint64_t start = guessed_blocks(guess);
  if (start > kMaxSearchedBlocks) return std::numeric_limits<double>::infinity();
  const auto least = least_that_holds(start, 1, kMaxSearchedBlocks, [&](std::uint64_t num_blocks) {
    return keeps_rate(rate(static_cast<double>(num_blocks)), p);
  });
  return least ? static_cast<double>(*least) : std::numeric_limits<double>::infinity();
}

}  // namespace bloometry
