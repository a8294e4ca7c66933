#include "core/theory/block_mean.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "core/rates/cardinality.hpp"
#include "core/rates/in_block_rates.hpp"
#include "core/rates/rate_given_state.hpp"
#include "core/theory/fill_moments.hpp"
#include "core/theory/occupancy_chain.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/probe_models.hpp"
#include "variants/split_block/split_block_rates.hpp"

namespace bloometry {
namespace {

Approx close_to(double value, double epsilon) {
  return Approx(value).epsilon(epsilon).margin(0);
}

double rate_variance(ProbeModel model, std::uint64_t n, const Geometry& geometry) {
  const unsigned cells = geometry.block_cells;
  return theory::block_mean_variance(n, geometry.num_blocks(),
                                     InBlockRates(model, cells, geometry.num_hashes),
                                     InBlockRates(model, cells, geometry.num_hashes, 2));
}

struct Moments {
  double sum = 0;
  double squares = 0;

  void add(double weight, double value) {
    sum += weight * value;
    squares += weight * value * value;
  }

  [[nodiscard]] double variance() const { return squares - sum * sum; }
};

/// Lists every way in which n keys of two probes fall on b blocks of 3 cells. All ways have the
/// same probability.
class AllFillings {
 public:
  AllFillings(ProbeModel model, unsigned num_keys, unsigned num_blocks)
      : model_(model), num_blocks_(num_blocks), cells_(num_blocks) {
    insert(num_keys, 1);
  }

  /// Returns a bound of the relative rounding error of sums over all fillings.
  [[nodiscard]] double rounding() const { return 2 * num_fillings_ * 0x1p-53; }

  Moments ones, rate;

 private:
  void insert(unsigned num_keys, double weight) {
    if (num_keys == 0) return finish(weight);
    std::vector<std::pair<int, int>> choices;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        if (model_ == kW || i != j) choices.emplace_back(i, j);
      }
    }
    for (auto& block : cells_) {
      const auto before = block;
      for (const auto& [i, j] : choices) {
        block.insert({i, j});
        insert(num_keys - 1, weight / static_cast<double>(num_blocks_ * choices.size()));
        block = before;
      }
    }
  }

  void finish(double weight) {
    double num_ones = 0;
    double mean_rate = 0;
    for (const auto& block : cells_) {
      num_ones += static_cast<double>(block.size());
      mean_rate += rate_given_ones(model_, block.size(), 3, 2) / num_blocks_;
    }
    ++num_fillings_;
    ones.add(weight, num_ones);
    rate.add(weight, mean_rate);
  }

  ProbeModel model_;
  unsigned num_blocks_;
  double num_fillings_ = 0;
  std::vector<std::set<int>> cells_;
};

/// Returns the rates for all ways to set `ones` cells in two blocks. Each block has two lanes of 4
/// cells, and k is 2.
std::vector<double> rates_of_fillings(ProbeModel model, unsigned ones) {
  const auto rate = [model](unsigned first, unsigned second) {
    return model == kP ? first * second / 16.0 : rate_given_ones(model, first + second, 8, 2);
  };
  std::vector<double> rates;
  for (unsigned lanes = 0; lanes < 5 * 5 * 5 * 5; ++lanes) {
    const unsigned a = lanes % 5;
    const unsigned b = lanes / 5 % 5;
    const unsigned c = lanes / 25 % 5;
    const unsigned d = lanes / 125;
    if (a + b + c + d == ones) rates.push_back((rate(a, b) + rate(c, d)) / 2);
  }
  return rates;
}

}  // namespace

TEST_CASE("block_mean: moments of fill and rate equal the count of all fillings",
          "[core][theory]") {
  for (const ProbeModel model : {kW, kD}) {
    for (const unsigned b : {1U, 2U, 3U}) {
      for (const unsigned n : {1U, 2U, 3U}) {
        const AllFillings all(model, n, b);
        const Geometry geometry{3 * b, 1, 2, 3};
        const theory::FillMoments fill = theory::block_fill_moments(model, n, geometry);
        CAPTURE(static_cast<char>(model), b, n);
        CHECK(fill.mean == close_to(all.ones.sum, all.rounding()));
        // Each variance is the difference of two sums, so the tolerance is proportional to the sum
        // of squares.
        CHECK(fill.variance ==
              Approx(all.ones.variance()).epsilon(0).margin(3 * all.rounding() * all.ones.squares));
        CHECK(rate_variance(model, n, geometry) ==
              Approx(all.rate.variance()).epsilon(0).margin(3 * all.rounding() * all.rate.squares));
      }
    }
  }
}

TEST_CASE("block_mean: the variance with unequal blocks equals the count of all assignments",
          "[core][theory]") {
  const auto rate_at = [](std::uint64_t num_keys) {
    return 1 - std::exp2(-static_cast<double>(num_keys));
  };
  const auto square_at = [&](std::uint64_t num_keys) {
    return rate_at(num_keys) * rate_at(num_keys);
  };
  // A word of 3 bits selects the block.
  for (const unsigned b : {1U, 3U, 4U, 5U, 6U, 7U}) {
    std::vector<double> shares(b);
    for (unsigned word = 0; word < 8; ++word) shares[word * b >> 3U] += 1.0 / 8;
    const std::vector<BlockGroup> groups = BlockWords(3, b).groups();
    for (const unsigned n : {0U, 1U, 2U, 4U}) {
      Moments all;
      std::vector<unsigned> keys(b);
      const auto assign = [&](const auto& self, unsigned num_left, double weight) -> void {
        if (num_left > 0) {
          for (unsigned block = 0; block < b; ++block) {
            ++keys[block];
            self(self, num_left - 1, weight * shares[block]);
            --keys[block];
          }
          return;
        }
        double rate = 0;
        for (unsigned block = 0; block < b; ++block) rate += shares[block] * rate_at(keys[block]);
        all.add(weight, rate);
      };
      assign(assign, n, 1);
      CAPTURE(b, n);
      const double rounding = 2 * std::pow(b, n) * 0x1p-53;
      CHECK(mean_over_blocks(groups, n, rate_at) == close_to(all.sum, rounding));
      CHECK(theory::block_mean_variance(n, groups, rate_at, square_at) ==
            Approx(all.variance()).epsilon(0).margin(3 * rounding * all.squares));
    }
  }
}

TEST_CASE("block_mean: one block equals the filter without blocks", "[core][theory]") {
  for (const ProbeModel model : {kW, kD, kP}) {
    for (const std::uint64_t n : {1, 10, 40}) {
      const auto one = theory::block_fill_moments(model, n, {256, 1, 8, 256});
      const auto plain = theory::fill_moments(model, n, 256, 8);
      CAPTURE(static_cast<char>(model), n);
      CHECK(one.mean == close_to(plain.mean, 1e-14));
      CHECK(one.variance == Approx(plain.variance).epsilon(1e-10).margin(1e-12));
    }
  }
}

TEST_CASE("block_mean: with one hash the blocks do not change the rate", "[core][theory]") {
  for (const std::uint64_t n : {1, 300, 5000}) {
    const Geometry geometry{20 * 128, 1, 1, 128};
    const auto plain = theory::fill_moments(kW, n, geometry.num_cells, 1);
    const auto in_blocks = theory::block_fill_moments(kW, n, geometry);
    CAPTURE(n);
    CHECK(in_blocks.mean == close_to(plain.mean, 1e-13));
    CHECK(in_blocks.variance == Approx(plain.variance).epsilon(1e-9).margin(1e-11));
    // F = X/m.
    CHECK(rate_variance(kW, n, geometry) ==
          Approx(plain.variance / std::pow(20.0 * 128, 2)).epsilon(1e-7).margin(1e-18));
  }
}

TEST_CASE("block_mean: unequal loads widen n_hat by the factors that cardinality.hpp states",
          "[core][theory]") {
  const auto widening = [](unsigned block_cells) {
    const Geometry geometry{std::uint64_t{1000} * block_cells, 1, 6, block_cells};
    const double hit = theory::in_block_hit_probability(kW, block_cells, 6);
    const auto half_fill = static_cast<std::uint64_t>(std::log(2.0) * 1000 / hit);
    const auto fill = theory::block_fill_moments(kW, half_fill, geometry);
    const auto next = theory::block_fill_moments(kW, half_fill + 1, geometry);
    const double stddev = std::sqrt(fill.variance) / (next.mean - fill.mean);
    return stddev / count_stddev(static_cast<std::uint64_t>(fill.mean), geometry.num_cells, 6);
  };
  CHECK(widening(512) == Approx(1.029).epsilon(0).margin(5e-4));  // as printed there
  CHECK(widening(128) == Approx(1.11).epsilon(0).margin(5e-3));
}

TEST_CASE("block_mean: the square of a split block is the product over its lanes",
          "[core][theory]") {
  for (const std::uint64_t j : {0, 1, 2, 25, 100}) {
    const double lane = theory::any_hit_moment(static_cast<double>(j), 32, 2);
    CAPTURE(j);
    CHECK(theory::split_block_square(j, {1, 32}) == Approx(lane).epsilon(1e-12).margin(0));
    CHECK(theory::split_block_square(j) == Approx(std::pow(lane, 8)).epsilon(1e-11).margin(0));
  }
}

TEST_CASE("block_mean: the law of the fill exists where a normal law holds", "[core][theory]") {
  const Geometry large{1 << 20U, 1, 6, 512};
  const auto law = theory::block_fill_law(kW, 100'000, large);
  REQUIRE(law.has_value());
  CHECK(law->method() == theory::FillLaw::Method::kNormal);
  const auto fill = theory::block_fill_moments(kW, 100'000, large);
  CHECK(law->mean() == fill.mean);
  CHECK(law->variance() == fill.variance);
  CHECK(law->cdf(static_cast<std::uint64_t>(fill.mean)) == Approx(0.5).margin(1e-3));
  // Unequal loads of the blocks add to the variance of a filter without blocks.
  CHECK(fill.variance > theory::fill_moments(kW, 100'000, 1 << 20U, 6).variance);
  CHECK_FALSE(theory::block_fill_law(kW, 100, large).has_value());         // few collisions
  CHECK_FALSE(theory::block_fill_law(kW, 10'000'000, large).has_value());  // few zeros
}

TEST_CASE("block_mean: the range of the rate given the ones covers all fillings tightly",
          "[core][theory]") {
  for (const ProbeModel model : {kW, kD, kP}) {
    for (unsigned ones = 0; ones <= 16; ++ones) {
      const std::vector<double> rates = rates_of_fillings(model, ones);
      const auto [least, most] = std::minmax_element(rates.begin(), rates.end());
      const theory::RateRange range = theory::block_rate_range(model, ones, {16, 1, 2, 8});
      CAPTURE(static_cast<char>(model), ones);
      CHECK(range.least <= *least);
      CHECK(range.least == Approx(*least).epsilon(1e-14).margin(0));
      CHECK(range.most >= *most);
      // In model P, the two lanes of a block with an odd number of ones differ.
      if (model != kP || ones % 2 == 0) {
        CHECK(range.most == Approx(*most).epsilon(1e-14).margin(0));
      }
    }
  }
}

}  // namespace bloometry
