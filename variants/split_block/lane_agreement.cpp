#include "variants/split_block/lane_agreement.hpp"

#include <algorithm>
#include <array>

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

/// The number of covered lanes among w lanes, while members are inserted that agree with the query
/// in fewer than `end` lanes.
class CoverChain {
 public:
  CoverChain(const AgreementLaw& law, std::size_t num_lanes, std::size_t end)
      : covered_(num_lanes + 1),
        stays_(num_lanes + 1, 1.0),
        gain_(num_lanes + 1, std::vector<double>(num_lanes + 1)) {
    covered_[0] = 1;
    for (std::size_t c = 0; c < num_lanes; ++c) {
      for (std::size_t d = 1; c + d <= num_lanes; ++d) {
        double sum = 0;  // over the number i of lanes that are covered again
        for (std::size_t i = 0; i <= c && d + i < end; ++i) {
          sum += choose(c, i) * law.exactly(d + i, num_lanes);
        }
        gain_[c][d] = choose(num_lanes - c, d) * sum;
        stays_[c] -= gain_[c][d];
      }
      is_law_ &= stays_[c] >= 0;
    }
  }

  /// Returns 1 if the bounds of the sets exceed 1 together, so that they are not a law.
  [[nodiscard]] double all_covered() const { return is_law_ ? covered_.back() : 1; }

  void insert() {
    for (std::size_t c = covered_.size() - 1; c-- > 0;) {
      for (std::size_t d = 1; c + d < covered_.size(); ++d) {
        covered_[c + d] += covered_[c] * gain_[c][d];
      }
      covered_[c] *= stays_[c];
    }
  }

 private:
  std::vector<double> covered_;            // [c], probability that c lanes are covered
  std::vector<double> stays_;              // [c], probability of no more lanes
  std::vector<std::vector<double>> gain_;  // [c][d], probability of d more lanes
  bool is_law_ = true;
};

/// Lowers the bounds to those of one L.
void lower_to(const AgreementLaw& law, std::size_t wide, std::vector<double>& bounds) {
  const std::size_t num_lanes = law.num_lanes();
  CoverChain narrow(law, num_lanes, wide);
  std::vector<CoverChain> rest;  // [s - wide], the lanes that a member of s lanes leaves
  for (std::size_t s = wide; s <= num_lanes; ++s) rest.emplace_back(law, num_lanes - s, num_lanes);
  for (std::size_t j = 1; j < bounds.size(); ++j) {
    narrow.insert();
    double per_member = 0;
    for (std::size_t s = wide; s <= num_lanes; ++s) {
      per_member += law.mean_sets(s) * rest[s - wide].all_covered();
      rest[s - wide].insert();
    }
    bounds[j] = std::min(bounds[j], narrow.all_covered() + static_cast<double>(j) * per_member);
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

}  // namespace bloometry::theory
