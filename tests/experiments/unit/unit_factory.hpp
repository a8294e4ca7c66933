#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/contract/params.hpp"
#include "core/hash/mix.hpp"
#include "core/hash/range_reduction.hpp"
#include "experiments/text/content_hash.hpp"
#include "experiments/unit/unit.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry::test {

inline KeySource synthetic_source(KeySource::Kind kind) {
  switch (kind) {
    case KeySource::Kind::kSequential:
      return {kind, "sequential", "", ""};
    case KeySource::Kind::kDecimal:
      return {kind, "decimal", "", ""};
    case KeySource::Kind::kUrl:
      return {kind, "url", "", ""};
    default:
      return {KeySource::Kind::kRandom, "random", "", ""};
  }
}

/// Returns a small unit. Tests overwrite individual fields.
inline Unit small_unit(std::string variant, std::uint64_t num_bits, std::vector<Point> points,
                       std::string probes = "remix") {
  Unit unit;
  unit.variant = std::move(variant);
  unit.keys = synthetic_source(KeySource::Kind::kRandom);
  unit.hash = "xxh3";
  unit.probes = std::move(probes);
  unit.params = "{}";
  unit.root_seed = 20261120;
  if (unit.variant == "scalable") {
    unit.spec.target_false_positive_rate = 0.01;
    unit.spec.params["initial_capacity"] = 64.0;
    for (Point& point : points) point.num_hashes = 0;
  } else {
    unit.spec.num_bits = num_bits;
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  unit.points = std::move(points);
  unit.id = content_hash(unit.variant + unit.probes + std::to_string(num_bits) +
                         std::to_string(unit.points.size()));
  return unit;
}

/// Pseudo-random numbers for tests with many cases. The numbers depend only on the seed.
class TestNumbers {
 public:
  explicit TestNumbers(std::uint64_t seed) : state_(seed) {}

  std::uint64_t below(std::uint64_t range) {
    state_ += kGoldenGamma;
    return fastrange(mix64(state_), range);
  }

 private:
  std::uint64_t state_;
};

/// Returns the points of all pairs (n, k), with equal numbers of queries.
inline std::vector<Point> grid(const std::vector<std::uint64_t>& num_inserted,
                               const std::vector<unsigned>& num_hashes, std::uint64_t num_queries) {
  std::vector<Point> points;
  for (const std::uint64_t n : num_inserted) {
    for (const unsigned k : num_hashes) points.push_back({n, k, num_queries});
  }
  return points;
}

}  // namespace bloometry::test
