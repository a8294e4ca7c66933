#include "core/theory/block_rate_law.hpp"

#include <functional>

#include "core/rates/binomial_mixture.hpp"
#include "core/rates/in_block_rates.hpp"
#include "core/theory/block_mean.hpp"
#include "core/theory/rate_law.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/probe_models.hpp"
#include "variants/split_block/split_block_rates.hpp"

using namespace bloometry;
using namespace bloometry::theory;
using bloometry::kD;
using bloometry::kP;
using bloometry::kW;
using bloometry::statistics::RateMixture;

namespace {

struct Point {
  ProbeModel model;
  std::uint64_t n;
  std::uint64_t num_blocks;
  unsigned block_cells;
  unsigned k;

  [[nodiscard]] Geometry geometry() const {
    return {.num_cells = num_blocks * block_cells, .num_hashes = k, .block_cells = block_cells};
  }

  /// Returns E[r^power | keys in the block].
  [[nodiscard]] std::function<double(std::uint64_t)> moment(unsigned power) const {
    if (model != kP) return InBlockRates(model, block_cells, k, power);
    const SplitBlock block = {.num_lanes = k, .lane_bits = block_cells / k};
    if (power == 1) return [block](std::uint64_t j) { return split_block_rate(j, 1, block); };
    return [block](std::uint64_t j) { return split_block_square(j, block); };
  }
};

/// Returns the law of the rate of a filter with two blocks. Lists every number of keys in the first
/// block and every pair of rates of the two blocks.
RateMixture law_of_two_blocks(const Point& point) {
  std::vector<RateMixture::Part> parts;
  double ways = 1.0;
  for (std::uint64_t j = 0; j <= point.n; ++j) {
    const RateMixture first = rate_law(point.model, j, point.block_cells, point.k);
    const RateMixture second = rate_law(point.model, point.n - j, point.block_cells, point.k);
    for (const auto& a : first.parts()) {
      for (const auto& b : second.parts()) {
        parts.push_back({(a.rate + b.rate) / 2.0, ways * a.weight * b.weight});
      }
    }
    ways *= static_cast<double>(point.n - j) / static_cast<double>(j + 1);
  }
  return RateMixture(parts);
}

}  // namespace

TEST_CASE("block rate law: its mean is the exact rate and its variance that of independent blocks",
          "[core][theory]") {
  for (const auto& point :
       {Point{kW, 250, 20, 512, 6}, Point{kW, 20'000, 200, 512, 6}, Point{kD, 1000, 39, 256, 7},
        Point{kP, 250, 42, 256, 8}, Point{kP, 100'000, 4200, 256, 8}, Point{kP, 1000, 20, 512, 8},
        Point{kW, 3, 2000, 512, 16}, Point{kW, 1'000'000'000, 20'000'000, 512, 6},
        Point{kW, 40, 1, 512, 6}}) {
    INFO(static_cast<char>(point.model) << " n " << point.n << ", blocks " << point.num_blocks);
    const RateMixture law = block_rate_law(point.model, point.n, point.geometry());
    const auto keys = static_cast<double>(point.n);
    const auto blocks = static_cast<double>(point.num_blocks);
    const double mean = cell_mean_of(keys, blocks, point.moment(1));
    const double variance = (cell_mean_of(keys, blocks, point.moment(2)) - mean * mean) / blocks;
    CHECK(law.mean() == Approx(mean).epsilon(1e-12));
    const double ratio = law.variance() / variance;
    CHECK(ratio > 1.0 - 1e-7);
    CHECK(ratio < 1.01);
    CHECK(law.variance() > (1.0 - 1e-7) * block_mean_variance(point.n, point.num_blocks,
                                                              point.moment(1), point.moment(2)));
  }
}

TEST_CASE("block rate law: bounds the moment generating function of two blocks", "[core][theory]") {
  for (const auto& point : {Point{kW, 6, 2, 16, 3}, Point{kD, 9, 2, 32, 4}, Point{kW, 30, 2, 64, 2},
                            Point{kP, 5, 2, 24, 3}}) {
    const RateMixture exact = law_of_two_blocks(point);
    const RateMixture bound = block_rate_law(point.model, point.n, point.geometry());
    INFO(static_cast<char>(point.model) << " n " << point.n << ", variance " << exact.variance()
                                        << ", bound " << bound.variance());
    CHECK(bound.mean() == Approx(exact.mean()).epsilon(1e-9));
    for (const std::uint64_t num_queries : {1U, 10U, 1000U}) {
      for (const double theta : {-2.0, -0.3, -0.01, 0.01, 0.3, 2.0}) {
        INFO(num_queries << " queries, theta " << theta);
        const double log_mgf = exact.log_mgf(theta, num_queries);
        CHECK(bound.log_mgf(theta, num_queries) >= log_mgf - 1e-9 * std::abs(log_mgf));
      }
    }
  }
}

TEST_CASE("block rate law: one block equals the law of a filter without blocks", "[core][theory]") {
  const Point point{kD, 20, 1, 256, 6};
  const RateMixture block = block_rate_law(kD, 20, point.geometry());
  const RateMixture filter = rate_law(kD, 20, 256, 6);
  CHECK(block.size() == filter.size());
  CHECK(block.variance() == Approx(filter.variance()).epsilon(1e-12));
}

TEST_CASE("block rate law: the rate is 0 without keys and 1 with too many", "[core][theory]") {
  const Point point{kW, 0, 20, 512, 6};
  CHECK(block_rate_law(kW, 0, point.geometry()).mean() == 0.0);
  CHECK(block_rate_law(kW, 1'000'000, point.geometry()).mean() == 1.0);
}
