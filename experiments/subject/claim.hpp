#pragma once

#include <cstdint>
#include <string_view>

#include "core/filter/filter_spec.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/statistics/rate_mixture.hpp"

namespace bloometry {

/// The claimed properties of a subject: the filter whose theory it must follow, and the sizes that
/// `new` requests.
struct Claim {
  std::string_view variant;
  ProbeModel model = ProbeModel::kWithReplacement;
  std::uint64_t num_keys = 0;
  std::uint64_t num_cells = 0;
  unsigned num_hashes = 0;
  unsigned block_cells = 1;  ///< num_cells is a multiple of this; 1: no blocks
  double expected_rate = 0;  ///< exact, for the probe model
  double rate_stddev = 0;    ///< of the rate over filters
  /// Distribution of the rate over filters; its mean is expected_rate. For blocks it is a
  /// distribution that is larger in the convex order (theory/block_rate_law.hpp), for tests that
  /// accept a bound.
  statistics::RateMixture rates;

  [[nodiscard]] bool has_blocks() const noexcept { return block_cells > 1; }
};

/// Returns the claim. @throws ConfigError for a variant without a known distribution or bound of
/// its rates over filters, or without keys.
[[nodiscard]] Claim make_claim(std::string_view variant, const Geometry& geometry, ProbeModel model,
                               std::uint64_t num_keys);

/// Returns the same claim for a filter that holds another number of keys than `new` requested.
[[nodiscard]] Claim at_load(const Claim& claim, std::uint64_t num_keys);

/// Returns the exact rate of a filter of the claimed kind with other numbers or other blocks.
[[nodiscard]] double rate_of_kind(const Claim& claim, const Geometry& geometry,
                                  std::uint64_t num_keys);

}  // namespace bloometry
