#include "core/theory/occupancy_band.hpp"

#include <algorithm>
#include <utility>

#include "core/theory/fill_kernels.hpp"

namespace bloometry::theory {
namespace {

constexpr std::size_t kMostKnownArrays = 32;  // sufficient for the stages of a growing filter

Band trimmed(Band band) {
  const auto worth_keeping = [](double p) { return p >= kTrimBelow; };
  const auto begin = std::find_if(band.pmf.begin(), band.pmf.end(), worth_keeping);
  const auto end = std::find_if(band.pmf.rbegin(), band.pmf.rend(), worth_keeping).base();
  return {band.first + static_cast<std::uint64_t>(begin - band.pmf.begin()), {begin, end}};
}

/// Computes the law of num_ones of one bit array key by key, and keeps only the relevant band of
/// num_ones.
class OccupancyRecurrence {
 public:
  OccupancyRecurrence(std::uint64_t num_bits, unsigned probes_per_key)
      : num_bits_(num_bits), probes_per_key_(probes_per_key) {}

  [[nodiscard]] bool is_of(std::uint64_t num_bits, unsigned probes_per_key) const {
    return num_bits_ == num_bits && probes_per_key_ == probes_per_key;
  }

  [[nodiscard]] std::uint64_t num_keys() const { return num_keys_; }

  /// Adds keys until the array contains num_keys keys.
  void fill_to(std::uint64_t num_keys) {
    for (; num_keys_ < num_keys; ++num_keys_) {
      for (unsigned taken = 0; taken < probes_per_key_; ++taken) throw_once(taken);
    }
  }

  [[nodiscard]] Band band() const {
    const auto begin = pmf_.begin() + static_cast<std::ptrdiff_t>(begin_);
    return {first_, {begin, begin + static_cast<std::ptrdiff_t>(size_)}};
  }

 private:
  /// Adds a probe that cannot fall on `taken` of the set bits. In model D, `taken` is the number of
  /// earlier probes of the key. In model W, `taken` is 0.
  void throw_once(unsigned taken) {
    if (first_ + size_ <= num_bits_) ++size_;
    if (after_.size() <= size_) after_.resize(2 * size_ + 64);
    kernels_->throw_probe(pmf_.data() + begin_, after_.data(), size_, static_cast<double>(first_),
                          taken, static_cast<double>(num_bits_));
    std::swap(pmf_, after_);
    begin_ = 0;
    while (pmf_[begin_] < kTrimBelow) ++begin_;
    while (pmf_[size_ - 1] < kTrimBelow) --size_;
    first_ += begin_;
    size_ -= begin_;
    pmf_[begin_ + size_] = 0.0;
  }

  const FillKernels* kernels_ = &fill_kernels(active_isa());
  std::uint64_t num_bits_;
  unsigned probes_per_key_;
  std::uint64_t num_keys_ = 0;
  std::uint64_t first_ = 0;  // num_ones of pmf_[begin_]
  std::size_t begin_ = 0;
  std::size_t size_ = 1;
  std::vector<double> pmf_ = {1.0, 0.0};  // size_ elements from begin_, followed by a 0
  std::vector<double> after_{};
};

/// Returns this thread's stored recurrence of the array, filled with at most num_keys keys.
OccupancyRecurrence& recurrence_below(std::uint64_t num_keys, std::uint64_t num_bits,
                                      unsigned probes_per_key) {
  thread_local std::vector<OccupancyRecurrence> known;
  const auto found = std::find_if(known.begin(), known.end(), [&](const auto& recurrence) {
    return recurrence.is_of(num_bits, probes_per_key);
  });
  if (found != known.end() && found->num_keys() <= num_keys) return *found;
  if (found != known.end()) {
    known.erase(found);
  } else if (known.size() == kMostKnownArrays) {
    known.erase(known.begin());
  }
  return known.emplace_back(num_bits, probes_per_key);
}

}  // namespace

Band occupancy_band(std::uint64_t num_keys, std::uint64_t num_bits, unsigned probes_per_key) {
  OccupancyRecurrence& recurrence = recurrence_below(num_keys, num_bits, probes_per_key);
  recurrence.fill_to(num_keys);
  return recurrence.band();
}

Band convolved(const Band& a, const Band& b) {
  constexpr std::size_t kBlockSize = FillKernels::kBlockSize;
  const std::size_t size = a.pmf.size() + b.pmf.size() - 1;
  std::vector<double> padded(b.pmf.size() + 2 * (kBlockSize - 1), 0.0);
  std::copy(b.pmf.begin(), b.pmf.end(), padded.begin() + (kBlockSize - 1));
  Band sum{a.first + b.first, std::vector<double>((size / kBlockSize + 1) * kBlockSize)};
  fill_kernels(active_isa())
      .convolve(a.pmf.data(), a.pmf.size(), padded.data() + (kBlockSize - 1), b.pmf.size(),
                sum.pmf.data());
  sum.pmf.resize(size);
  return trimmed(std::move(sum));
}

}  // namespace bloometry::theory
