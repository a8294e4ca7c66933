#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/contract/filter_spec.hpp"
#include "core/contract/params.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/theory/claim_law.hpp"

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
  unsigned cell_bits = 1;    ///< bits per cell, which determine the rate of a table
  bool is_table = false;     ///< true for a table of fingerprints, whose size limits the keys
  Params params{};           ///< resolved parameters of the variant
  theory::ClaimLaw law;      ///< from Theory<F> of the variant

  [[nodiscard]] Geometry geometry() const noexcept {
    return {.num_cells = num_cells,
            .cell_bits = cell_bits,
            .num_hashes = num_hashes,
            .block_cells = block_cells};
  }

  [[nodiscard]] bool has_blocks() const noexcept { return block_cells > 1; }
};

/// Returns the names of the variants whose theory has a law of claims, which is the distribution of
/// the rate over filters or a bound of this distribution.
[[nodiscard]] std::vector<std::string_view> claimable_variants();

/// Throws ConfigError for a variant that is not claimable.
void require_claimable(std::string_view variant);

/// Returns the claim of a filter. Throws ConfigError for 0 keys, for parameters that the variant
/// does not allow, and for a variant that is not claimable.
[[nodiscard]] Claim make_claim(std::string_view variant, const Geometry& geometry, ProbeModel model,
                               std::uint64_t num_keys, const Params& params = {});

/// Returns the claim for a filter that contains another number of keys than the number in the
/// request `new`.
[[nodiscard]] Claim at_load(const Claim& claim, std::uint64_t num_keys);

/// Returns the expected rate of a filter of the claimed kind with other sizes or blocks. A geometry
/// without blocks describes a filter whose probes may fall on any cell, whatever the claim.
[[nodiscard]] double rate_of_kind(const Claim& claim, const Geometry& geometry,
                                  std::uint64_t num_keys);

}  // namespace bloometry
