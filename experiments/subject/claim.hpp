#pragma once

#include <cstdint>
#include <string_view>

#include "core/filter/filter_spec.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/statistics/rate_mixture.hpp"

namespace bloometry {

/// What a subject is said to be: the filter whose theory it is held against, and what `new` asks
/// it for.
struct Claim {
  std::string_view variant;
  ProbeModel model = ProbeModel::kWithReplacement;
  std::uint64_t num_keys = 0;
  std::uint64_t num_cells = 0;
  unsigned num_hashes = 0;
  unsigned block_cells = 1;  ///< num_cells is a multiple of this; 1: no blocks
  double expected_rate = 0;  ///< exact, for the probe model
  double rate_stddev = 0;    ///< of the rate between filters
  /// The law of the rate over filters; its mean is expected_rate. With blocks it is a law that is
  /// larger in the convex order (theory/block_rate_law.hpp), for tests that need no more.
  statistics::RateMixture rates;

  [[nodiscard]] bool has_blocks() const noexcept { return block_cells > 1; }
};

/// @throws ConfigError for a variant whose rates between filters have no known law or bound, or
/// without keys.
[[nodiscard]] Claim make_claim(std::string_view variant, const Geometry& geometry, ProbeModel model,
                               std::uint64_t num_keys);

/// The same claim when the filter holds another number of keys than `new` asked for.
[[nodiscard]] Claim at_load(const Claim& claim, std::uint64_t num_keys);

/// The exact rate of a filter of the claimed kind: of other numbers, or of other blocks.
[[nodiscard]] double rate_of_kind(const Claim& claim, const Geometry& geometry,
                                  std::uint64_t num_keys);

}  // namespace bloometry
