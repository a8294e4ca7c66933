#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace bloometry {

/// The numbers of hashes k of the filters of a checkpoint index, in descending order. A bit that is
/// set in filter k is also set in all filters with a larger k. The filters therefore set a bit in
/// descending order of k. An index has at most 16 filters, with k in [1, 16].
class HashCounts {
 public:
  static constexpr unsigned kMaxFilters = 16;
  static constexpr unsigned kMaxHashes = 16;

  /// Sorts the filters by descending k. @param num_hashes distinct values of k in any order
  explicit HashCounts(std::vector<unsigned> num_hashes) : num_hashes_(std::move(num_hashes)) {
    std::sort(num_hashes_.begin(), num_hashes_.end(), std::greater());
    assert(!num_hashes_.empty() && num_hashes_.size() <= kMaxFilters);
    assert(num_hashes_.back() >= 1 && num_hashes_.front() <= kMaxHashes);
    for (unsigned probe = 0; probe < kMaxHashes; ++probe) {
      for (const unsigned k : num_hashes_) {
        if (k > probe) open_[probe] |= std::uint64_t{1} << (4 * num_open_[probe]++);
      }
    }
  }

  [[nodiscard]] unsigned size() const noexcept { return static_cast<unsigned>(num_hashes_.size()); }

  [[nodiscard]] unsigned max_hashes() const noexcept { return num_hashes_.front(); }

  [[nodiscard]] unsigned num_hashes(unsigned filter) const noexcept { return num_hashes_[filter]; }

  [[nodiscard]] unsigned index_of(unsigned num_hashes) const noexcept {
    const auto found =
        std::lower_bound(num_hashes_.begin(), num_hashes_.end(), num_hashes, std::greater());
    return static_cast<unsigned>(found - num_hashes_.begin());
  }

  /// Returns the number of filters that use probe number `probe` (from 0). A filter uses a probe if
  /// the filter's k is larger than the probe's number. The filters that use a probe are therefore
  /// the first filters.
  [[nodiscard]] unsigned num_open(unsigned probe) const noexcept { return num_open_[probe]; }

  /// Returns a word with 1 in the nibble of each filter that uses the probe.
  [[nodiscard]] std::uint64_t open(unsigned probe) const noexcept { return open_[probe]; }

 private:
  std::vector<unsigned> num_hashes_;
  // The last element is 0, because every filter uses at most kMaxHashes probes.
  std::array<unsigned, kMaxHashes + 1> num_open_{};
  std::array<std::uint64_t, kMaxHashes + 1> open_{};
};

}  // namespace bloometry
