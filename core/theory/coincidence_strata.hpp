#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/statistics/draws.hpp"

/// Strata of the integration over coincidences (coincidence_integration.hpp), and the counts by
/// which the nodes are weighted.
namespace bloometry::theory {

/// Pairs of indices that are further apart share one stratum.
inline constexpr unsigned kMaxDistance = 32;

/// Values at the nodes of a stratum.
class Stratum {
 public:
  explicit Stratum(double weight) : weight_(weight) {}

  void add(double value) {
    sum_ += value;
    sum_of_squares_ += value * value;
    ++num_nodes_;
  }

  /// Returns weight times mean.
  [[nodiscard]] double value() const { return weight_ * sum_ / num_nodes_; }

  /// Returns the variance of value().
  [[nodiscard]] double variance() const { return spread() * spread() / num_nodes_; }

  /// Returns weight times the standard deviation of a node.
  [[nodiscard]] double spread() const {
    const double mean = sum_ / num_nodes_;
    return weight_ * std::sqrt(std::max(0.0, sum_of_squares_ / num_nodes_ - mean * mean));
  }

 private:
  double weight_;
  double sum_ = 0;
  double sum_of_squares_ = 0;
  double num_nodes_ = 0;
};

/// Sum over strata.
struct Estimate {
  double value = 0;
  double variance = 0;

  Estimate& operator+=(const Stratum& stratum) {
    value += stratum.value();
    variance += stratum.variance();
    return *this;
  }
};

/// Pairs of places in a key's sequence of indices, i < j, with a distance in a given range.
class PairsOfPlaces {
 public:
  PairsOfPlaces(unsigned num_places, unsigned least_distance, unsigned last_distance)
      : num_places_(num_places), least_(least_distance), last_(last_distance) {
    for (unsigned d = least_; d <= last_; ++d) num_pairs_ += num_places_ - d;
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return num_pairs_; }

  [[nodiscard]] unsigned least_distance() const noexcept { return least_; }

  /// Returns a random pair.
  [[nodiscard]] std::pair<unsigned, unsigned> draw(Draws& draws) const {
    std::uint64_t at = draws.next(num_pairs_);
    unsigned distance = least_;
    for (; at >= num_places_ - distance; ++distance) at -= num_places_ - distance;
    const auto i = static_cast<unsigned>(at);
    return {i, i + distance};
  }

 private:
  unsigned num_places_;
  unsigned least_;
  unsigned last_;
  std::uint64_t num_pairs_ = 0;
};

/// Returns the pairs of every distance, which are one class per distance up to kMaxDistance and one
/// class of all larger distances.
std::vector<PairsOfPlaces> classes_of_pairs(unsigned num_places);

/// The coincidences of two keys. The numbers are counts of pairs of places (i, j), i < j, of the
/// query.
struct Coincidences {
  unsigned num_distinct = 0;  ///< distinct indices of the query
  double num_own_pairs = 0;   ///< pairs of equal indices of the query
  unsigned num_covered = 0;   ///< distinct indices of the query that the member has too
  double num_met_pairs = 0;   ///< pairs that two different indices of the member meet
};

/// Compares two sorted lists of indices.
Coincidences coincidences(const std::vector<std::uint64_t>& query,
                          const std::vector<std::uint64_t>& member);

}  // namespace bloometry::theory
