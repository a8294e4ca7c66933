#pragma once

#include <cstdint>
#include <string_view>

#include "core/filter/filter_spec.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/statistics/rate_mixture.hpp"

namespace bloometry {

/// The properties that a subject is claimed to have: the filter whose theory it must follow, and
/// the sizes in the request `new`.
struct Claim {
  std::string_view variant;
  ProbeModel model = ProbeModel::kWithReplacement;
  std::uint64_t num_keys = 0;
  std::uint64_t num_cells = 0;
  unsigned num_hashes = 0;
  unsigned block_cells = 1;  ///< num_cells is a multiple of it; 1 without blocks
  double expected_rate = 0;  ///< exact rate for the probe model
  double rate_stddev = 0;    ///< standard deviation of the rate over filters
  /// Distribution of the rate over filters, with mean expected_rate. For blocks it is a
  /// distribution that is larger in the convex order (theory/block_rate_law.hpp), for tests that
  /// accept such a bound.
  statistics::RateMixture rates;

  [[nodiscard]] bool has_blocks() const noexcept { return block_cells > 1; }
};

/// Returns the claim. @throws ConfigError for 0 keys, and for a variant for which the distribution
/// of its rates over filters, or a bound on it, is unknown.
[[nodiscard]] Claim make_claim(std::string_view variant, const Geometry& geometry, ProbeModel model,
                               std::uint64_t num_keys);

/// Returns the same claim for a filter with another number of keys than in the request `new`.
[[nodiscard]] Claim at_load(const Claim& claim, std::uint64_t num_keys);

/// Returns the exact rate of a filter of the claimed kind, with other sizes or other blocks.
[[nodiscard]] double rate_of_kind(const Claim& claim, const Geometry& geometry,
                                  std::uint64_t num_keys);

}  // namespace bloometry
