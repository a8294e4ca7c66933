#include "experiments/workload/zipf_ranks.hpp"

#include <bit>
#include <cmath>
#include <map>
#include <mutex>
#include <utility>

#include "core/hash/range_reduction.hpp"

namespace bloometry {

/// Weights with a guide (Chen and Asau 1974), which makes the search for a rank short: the words
/// with the same highest bits select ranks from first[those bits] on.
struct ZipfRanks::Weights {
  std::vector<std::uint64_t> cumulative;  // sums of the weights of ranks 1 to i + 1
  std::vector<std::uint32_t> first;
  unsigned shift;  // highest bits of a word: word >> shift

  Weights(double exponent, std::uint64_t num_ranks)
      : shift(64U - static_cast<unsigned>(std::bit_width(num_ranks))) {
    cumulative.reserve(num_ranks);
    std::uint64_t sum = 0;
    for (std::uint64_t rank = 1; rank <= num_ranks; ++rank) {
      const double weight = 0x1p32 * std::pow(static_cast<double>(rank), -exponent);
      sum += static_cast<std::uint64_t>(std::llround(weight));
      cumulative.push_back(sum);
    }
    const std::uint64_t num_parts = std::uint64_t{1} << (64U - shift);
    first.reserve(num_parts);
    for (std::uint64_t part = 0; part < num_parts; ++part) {
      first.push_back(search(part << shift, first.empty() ? 0 : first.back()));
    }
  }

  /// Returns the index of the rank that the word selects.
  /// @param least index that is not above the result
  [[nodiscard]] std::uint32_t search(std::uint64_t word, std::uint32_t least) const noexcept {
    const std::uint64_t draw = fastrange(word, cumulative.back());
    while (cumulative[least] <= draw) ++least;
    return least;
  }
};

std::shared_ptr<const ZipfRanks::Weights> ZipfRanks::shared_weights(double exponent,
                                                                    std::uint64_t num_ranks) {
  static std::mutex mutex;
  static std::map<std::pair<double, std::uint64_t>, std::shared_ptr<const Weights>> known;
  const std::lock_guard lock(mutex);
  std::shared_ptr<const Weights>& weights = known[{exponent, num_ranks}];
  if (!weights) weights = std::make_shared<const Weights>(exponent, num_ranks);
  return weights;
}

ZipfRanks::ZipfRanks(double exponent, std::uint64_t num_ranks)
    : weights_(shared_weights(exponent, num_ranks)) {}

std::uint64_t ZipfRanks::rank(std::uint64_t word) const noexcept {
  return weights_->search(word, weights_->first[word >> weights_->shift]);
}

}  // namespace bloometry
