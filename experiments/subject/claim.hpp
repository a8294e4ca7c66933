#pragma once

#include <cstdint>
#include <string_view>

#include "core/filter/filter_spec.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/statistics/rate_mixture.hpp"

namespace bloometry {

/// The claimed properties of a subject. The subject must follow the theory of the claimed filter
/// with the sizes in the request `new`.
struct Claim {
  std::string_view variant;
  ProbeModel model = ProbeModel::kWithReplacement;
  std::uint64_t num_keys = 0;
  std::uint64_t num_cells = 0;
  unsigned num_hashes = 0;
  unsigned block_cells = 1;  ///< cells per block; 1 for a filter without blocks
  /// Rate for the probe model. The rate of split_block includes its floor (theory 6.2).
  double expected_rate = 0;
  double rate_stddev = 0;  ///< standard deviation of the rate over filters
  /// Distribution of the rate over filters, with mean expected_rate. For a filter with blocks, the
  /// member `rates` is a distribution that is larger than the true distribution in the convex order
  /// (core/theory/block_rate_law.hpp).
  statistics::RateMixture rates;

  [[nodiscard]] bool has_blocks() const noexcept { return block_cells > 1; }
};

/// Throws ConfigError for a variant if neither the distribution of its rates over filters nor a
/// bound of this distribution is known. Theory treats a counting filter as the bit filter of its
/// non-zero counters (theory 3.3).
void require_claimable(std::string_view variant);

/// Returns the claim of a filter. Throws ConfigError for 0 keys. Throws ConfigError for a variant
/// if neither the distribution of its rates over filters nor a bound of this distribution is known.
[[nodiscard]] Claim make_claim(std::string_view variant, const Geometry& geometry, ProbeModel model,
                               std::uint64_t num_keys);

/// Returns the claim for a filter that contains another number of keys than the number in the
/// request `new`.
[[nodiscard]] Claim at_load(const Claim& claim, std::uint64_t num_keys);

/// Returns the expected rate of a filter of the claimed kind with other sizes or blocks.
[[nodiscard]] double rate_of_kind(const Claim& claim, const Geometry& geometry,
                                  std::uint64_t num_keys);

}  // namespace bloometry
