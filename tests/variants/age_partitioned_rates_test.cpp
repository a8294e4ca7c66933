// Tests the rates of age-partitioned filters against enumerations. The reference ring and the
// enumerated fills do not use the formulas of age_partitioned_rates.hpp.

#include "variants/age_partitioned/age_partitioned_rates.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/test_seed.hpp"
#include "variants/age_partitioned/age_partitioned_variance.hpp"

namespace bloometry {
namespace {

/// The insert calls that wrote each slice, from the youngest to the oldest, counted call by call.
class LoadRing {
 public:
  explicit LoadRing(const AgeShape& shape) : shape_(shape), loads_(shape.num_slices()) {}

  void insert() {
    if (num_newest_ == shape_.generation_capacity) {
      std::ranges::rotate(loads_, loads_.end() - 1);
      loads_.front() = 0;
      num_newest_ = 0;
    }
    ++num_newest_;
    for (unsigned age = 0; age < shape_.num_hashes; ++age) ++loads_[age];
  }

  [[nodiscard]] const std::vector<std::uint64_t>& loads() const { return loads_; }

  [[nodiscard]] std::uint64_t num_newest() const { return num_newest_; }

 private:
  AgeShape shape_;
  std::vector<std::uint64_t> loads_;
  std::uint64_t num_newest_ = 0;
};

/// Returns whether the set bits of a pattern contain k consecutive ones.
bool has_run_of_matches(unsigned pattern, unsigned num_slices, unsigned k) {
  const unsigned run = (1U << k) - 1;
  for (unsigned first = 0; first + k <= num_slices; ++first) {
    if ((pattern >> first & run) == run) return true;
  }
  return false;
}

/// Returns the probability of a run as a sum over all patterns of matches.
double rate_by_patterns(const std::vector<double>& fills, unsigned k) {
  const auto num_slices = static_cast<unsigned>(fills.size());
  double rate = 0;
  for (unsigned pattern = 0; pattern < 1U << num_slices; ++pattern) {
    if (!has_run_of_matches(pattern, num_slices, k)) continue;
    double weight = 1;
    for (unsigned i = 0; i < num_slices; ++i) {
      weight *= (pattern >> i & 1U) != 0 ? fills[i] : 1 - fills[i];
    }
    rate += weight;
  }
  return rate;
}

/// Returns the probability of each fill, by enumeration of all positions of the keys.
std::map<double, double> enumerated_fills(std::uint64_t load, std::uint64_t slice_bits) {
  std::uint64_t num_placements = 1;
  for (std::uint64_t i = 0; i < load; ++i) num_placements *= slice_bits;
  std::map<double, double> fills;
  for (std::uint64_t placement = 0; placement < num_placements; ++placement) {
    std::set<std::uint64_t> hit;
    std::uint64_t rest = placement;
    for (std::uint64_t i = 0; i < load; ++i, rest /= slice_bits) hit.insert(rest % slice_bits);
    fills[static_cast<double>(hit.size()) / static_cast<double>(slice_bits)] +=
        1.0 / static_cast<double>(num_placements);
  }
  return fills;
}

struct EnumeratedMoments {
  double mean = 0;
  double mean_square = 0;
};

/// Adds the moments of the rate over all fills of the slices from `fills.size()` on.
void add_enumerated_moments(const std::vector<std::map<double, double>>& laws, unsigned k,
                            double weight, std::vector<double>& fills, EnumeratedMoments& moments) {
  if (fills.size() == laws.size()) {
    const double rate = rate_by_patterns(fills, k);
    moments.mean += weight * rate;
    moments.mean_square += weight * rate * rate;
    return;
  }
  for (const auto& [fill, probability] : laws[fills.size()]) {
    fills.push_back(fill);
    add_enumerated_moments(laws, k, weight * probability, fills, moments);
    fills.pop_back();
  }
}

EnumeratedMoments enumerated_moments(const AgeShape& shape,
                                     const std::vector<std::uint64_t>& loads) {
  std::vector<std::map<double, double>> laws;
  for (const std::uint64_t load : loads) laws.push_back(enumerated_fills(load, shape.slice_bits));
  EnumeratedMoments moments;
  std::vector<double> fills;
  add_enumerated_moments(laws, shape.num_hashes, 1, fills, moments);
  return moments;
}

double rate_variance_of(const AgeShape& shape, const std::vector<std::uint64_t>& loads) {
  return theory::run_rate_variance(theory::slice_fills(shape, loads), shape.num_hashes);
}

/// Slices of which the oldest ones are half full, as sized by the paper.
AgeShape half_full_age_shape(unsigned k, unsigned l) {
  constexpr std::uint64_t kCapacity = 1'000'000;
  return {k, l, kCapacity, static_cast<std::uint64_t>(std::llround(k * kCapacity / std::log(2.0)))};
}

}  // namespace

TEST_CASE("age_partitioned: slice_loads counts the inserts of each slice at every phase",
          "[variants][age_partitioned]") {
  std::mt19937_64 random(test::test_seed());
  for (int i = 0; i < 300; ++i) {
    const auto draw = [&](unsigned most) { return 1 + static_cast<unsigned>(random() % most); };
    const AgeShape shape{draw(6), draw(6), draw(5), 10};
    LoadRing ring(shape);
    CAPTURE(shape.num_hashes, shape.generations, shape.generation_capacity);
    const std::uint64_t num_steady = shape.num_slices() * shape.generation_capacity;
    for (std::uint64_t n = 0; n <= 2 * num_steady; ++n) {
      if (slice_loads(shape, n) != ring.loads()) FAIL("after " << n << " inserts");
      if (n > num_steady && steady_slice_loads(shape, ring.num_newest()) != ring.loads()) {
        FAIL("steady, after " << n << " inserts");
      }
      ring.insert();
    }
  }
}

TEST_CASE("age_partitioned: rate_given_fills is the sum over all patterns of matches",
          "[variants][age_partitioned]") {
  std::mt19937_64 random(test::test_seed());
  std::uniform_real_distribution<double> uniform;
  for (unsigned num_slices = 2; num_slices <= 12; ++num_slices) {
    for (unsigned k = 1; k < num_slices; ++k) {
      std::vector<double> fills(num_slices);
      for (double& fill : fills) fill = uniform(random);
      CAPTURE(k, num_slices);
      CHECK(rate_given_fills(fills, k) == Approx(rate_by_patterns(fills, k)).epsilon(1e-12));
    }
  }
  CHECK(rate_given_fills(std::vector<double>(5, 0.0), 2) == 0);
  CHECK(rate_given_fills(std::vector<double>(320, 1.0), 64) == 1);
}

TEST_CASE(
    "age_partitioned: the mean and the variance of the rate equal an enumeration of all "
    "filters, at every phase",
    "[variants][age_partitioned]") {
  for (const AgeShape& shape :
       {AgeShape{1, 1, 1, 1}, AgeShape{1, 1, 2, 3}, AgeShape{1, 3, 2, 2}, AgeShape{2, 1, 1, 2},
        AgeShape{2, 1, 3, 2}, AgeShape{2, 2, 2, 3}, AgeShape{3, 1, 1, 3}, AgeShape{3, 2, 2, 2}}) {
    CAPTURE(shape.num_hashes, shape.generations, shape.generation_capacity, shape.slice_bits);
    LoadRing ring(shape);
    for (std::uint64_t n = 0; n <= (shape.num_slices() + 1) * shape.generation_capacity; ++n) {
      CAPTURE(n);
      const EnumeratedMoments moments = enumerated_moments(shape, ring.loads());
      CHECK(age_partitioned_rate(shape, n) == Approx(moments.mean).epsilon(1e-12));
      // The variance of the enumeration is a difference of numbers of up to 1.
      CHECK(rate_variance_of(shape, ring.loads()) ==
            Approx(moments.mean_square - moments.mean * moments.mean).epsilon(1e-12).margin(1e-14));
      ring.insert();
    }
  }
}

TEST_CASE("age_partitioned: the variance is precise where a difference of moments is not",
          "[variants][age_partitioned]") {
  // One key: the fills of the k youngest slices are 1/w in every filter, so that the variance is 0.
  const AgeShape large{3, 2, 10, std::uint64_t{1} << 32U};
  CHECK(rate_variance_of(large, slice_loads(large, 1)) == 0);
  // Two keys: the fill is 2/w, or 1/w with probability 1/w. To first order in 1/w, the variance of
  // the product of three fills is 3 (4/w^2)^2 (1/w^2) (1/w).
  const double w = 0x1p32;
  CHECK(rate_variance_of(large, slice_loads(large, 2)) ==
        Approx(3 * 16 * std::pow(w, -7)).epsilon(8 / w));
}

TEST_CASE("age_partitioned: slices that become half full have the rates of the known example",
          "[variants][age_partitioned]") {
  // The libraries' formula, which assumes fills of (j+1)/(2k), gives 1.123 % and 0.121 %.
  const PhaseRates seven = theory::phase_rates(half_full_age_shape(7, 5));
  CHECK(std::round(seven.start * 1e5) == 857);
  CHECK(std::round(seven.mean * 1e5) == 1059);
  CHECK(std::round(seven.worst * 1e5) == 1283);
  const PhaseRates ten = theory::phase_rates(half_full_age_shape(10, 7));
  CHECK(std::round(ten.worst * 1e5) == 147);
}

TEST_CASE("age_partitioned: the mean over a generation equals the sum over its inserts",
          "[variants][age_partitioned]") {
  for (const unsigned k : {1U, 7U, 64U}) {
    for (const std::uint64_t slice_bits : {1U, 2U, 50U, 1000U, 100'000U}) {
      for (const std::uint64_t g : {1U, 7U, 128U, 129U, 200U, 3000U}) {
        const AgeShape shape{k, 2, g, slice_bits};
        CAPTURE(k, slice_bits, g);
        double sum = 0;
        for (std::uint64_t c = 1; c <= g; ++c) {
          sum += age_partitioned_rate(shape, steady_slice_loads(shape, c));
        }
        const PhaseRates rates = theory::phase_rates(shape);
        CHECK(rates.mean == Approx(sum / static_cast<double>(g)).epsilon(1e-9));
        CHECK(rates.start == age_partitioned_rate(shape, steady_slice_loads(shape, 1)));
        CHECK(rates.worst == worst_age_partitioned_rate(shape));
        CHECK(rates.num_held == 3 * g);
      }
    }
  }
}

TEST_CASE("age_partitioned: the rate after any number of inserts is at most the worst rate",
          "[variants][age_partitioned]") {
  for (const AgeShape& shape : {AgeShape{1, 1, 1, 2}, AgeShape{7, 5, 20, 200},
                                AgeShape{3, 9, 4, 15}, AgeShape{64, 3, 2, 300}}) {
    double worst = 0;
    for (std::uint64_t n = 0; n <= 3 * shape.num_slices() * shape.generation_capacity; ++n) {
      worst = std::max(worst, age_partitioned_rate(shape, n));
    }
    CHECK(worst == worst_age_partitioned_rate(shape));
  }
}

TEST_CASE("age_partitioned: rates keep their precision at extreme sizes",
          "[variants][age_partitioned]") {
  const AgeShape one_key{64, 256, 1, std::uint64_t{1} << 40U};
  CHECK(age_partitioned_rate(one_key, 0) == 0);
  // Two runs of one slice: 1 - (1-x)^2 with x = 2^-40.
  CHECK(worst_age_partitioned_rate({1, 1, 1, std::uint64_t{1} << 40U}) ==
        Approx(0x1p-39 - 0x1p-80).epsilon(1e-15));
  // One key: a run of 20 slices of 32 bits, (1/32)^20.
  CHECK(age_partitioned_rate({20, 5, 10, 32}, 1) == Approx(0x1p-100).epsilon(1e-13));
  CHECK(worst_age_partitioned_rate({64, 256, std::uint64_t{1} << 53U, 1}) == 1);
}

}  // namespace bloometry
