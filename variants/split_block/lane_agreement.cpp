#include "variants/split_block/lane_agreement.hpp"

#include <algorithm>
#include <array>

#include "core/theory/covering_chain.hpp"
#include "variants/split_block/split_block_rates.hpp"

namespace bloometry::theory {
namespace {

double choose(std::size_t n, std::size_t k) {
  double ways = 1;
  for (std::size_t i = 0; i < k; ++i) ways = ways * static_cast<double>(n - i) / double(i + 1);
  return ways;
}

/// The probabilities that a member agrees with a query in given lanes.
class AgreementLaw {
 public:
  explicit AgreementLaw(const LaneAgreements& agreements) : of_(agreements) {}

  [[nodiscard]] std::size_t num_lanes() const noexcept { return of_.by_size.size(); }

  /// Returns the mean number of sets of s lanes in which a member agrees with a query.
  [[nodiscard]] double mean_sets(std::size_t s) const {
    return static_cast<double>(of_.by_size[s - 1].num_pairs) / of_.num_words / of_.num_words;
  }

  /// Returns an upper bound of the probability, for any query, that a member agrees in s given
  /// lanes and in no other of w given lanes. The sum of inclusion and exclusion is above its value
  /// wherever it ends after an added term (Bonferroni).
  [[nodiscard]] double exactly(std::size_t s, std::size_t w) const {
    double sum = most(s);
    double least_sum = sum;
    for (std::size_t i = 1; s + i <= w; ++i) {
      if (i % 2 == 1) {
        sum -= choose(w - s, i) * least(s + i);
        if (s + i == w) least_sum = std::min(least_sum, sum);
      } else {
        sum += choose(w - s, i) * most(s + i);
        least_sum = std::min(least_sum, sum);
      }
    }
    return least_sum;
  }

 private:
  [[nodiscard]] double most(std::size_t s) const {
    return static_cast<double>(of_.by_size[s - 1].most) / of_.num_words;
  }

  [[nodiscard]] double least(std::size_t s) const {
    return static_cast<double>(of_.by_size[s - 1].least) / of_.num_words;
  }

  LaneAgreements of_;
};

/// Returns upper bounds of the probabilities that 0, 1, ..., length - 1 members cover w lanes, if
/// each member agrees with the query in fewer than `end` of them. The bounds are 1 if those of the
/// sets exceed 1 together, so that they are not a law.
std::vector<double> cover_bounds(const AgreementLaw& law, std::size_t w, std::size_t end,
                                 std::size_t length) {
  std::vector<double> of_sizes(w + 1);
  of_sizes[0] = 1;
  for (std::size_t s = 1; s <= w && s < end; ++s) {
    of_sizes[s] = choose(w, s) * law.exactly(s, w);
    of_sizes[0] -= of_sizes[s];
  }
  if (of_sizes[0] < 0) return std::vector<double>(length, 1.0);
  return cover_probabilities(of_sizes, length);
}

/// Lowers the bounds to those of one L.
void lower_to(const AgreementLaw& law, std::size_t wide, std::vector<double>& bounds) {
  const std::size_t num_lanes = law.num_lanes();
  std::vector<double> by_others(bounds.size());  // [j], beside one wide member
  for (std::size_t s = wide; s <= num_lanes; ++s) {
    const std::size_t rest = num_lanes - s;
    const std::vector<double> covers = cover_bounds(law, rest, rest + 1, bounds.size());
    for (std::size_t j = 0; j < bounds.size(); ++j) by_others[j] += law.mean_sets(s) * covers[j];
  }
  const std::vector<double> narrow = cover_bounds(law, num_lanes, wide, bounds.size());
  for (std::size_t j = 1; j < bounds.size(); ++j) {
    bounds[j] = std::min(bounds[j], narrow[j] + static_cast<double>(j) * by_others[j - 1]);
  }
}

}  // namespace

const LaneAgreements& parquet_agreements() noexcept {
  static constexpr std::array<LaneAgreement, 8> kBySize = {{
      {134'217'728, 134'217'728, 4'611'686'018'427'387'904},
      {4'194'273, 4'194'326, 504'403'158'266'436'160},
      {130'799, 131'330, 31'525'198'846'755'392},
      {3'943, 4'220, 1'231'479'752'292'224},
      {65, 185, 30'904'308'925'440},
      {1, 17, 589'418'403'520},
      {1, 17, 39'745'003'008},
      {1, 1, 4'294'967'296},
  }};
  static constexpr LaneAgreements kAgreements{.num_words = 0x1p32, .by_size = kBySize};
  return kAgreements;
}

std::vector<double> block_rate_bounds(const LaneAgreements& agreements, std::size_t length) {
  std::vector<double> bounds(length, 1.0);
  bounds.at(0) = 0;
  const AgreementLaw law(agreements);
  for (std::size_t wide = 1; wide <= law.num_lanes() + 1; ++wide) lower_to(law, wide, bounds);
  return bounds;
}

double parquet_rate_bound(std::uint64_t n, std::uint64_t num_blocks) {
  // With more members, the bound is 1: the eight lanes are full but for a probability below 1e-12.
  constexpr std::size_t kLength = 1024;
  static const std::vector<double> kBounds = block_rate_bounds(parquet_agreements(), kLength);
  return mean_over_blocks(parquet_blocks(num_blocks), n,
                          [](std::uint64_t j) { return j < kLength ? kBounds[j] : 1.0; });
}

}  // namespace bloometry::theory
