#include "core/theory/claim_law.hpp"

#include <cmath>

#include "core/theory/block_rate_law.hpp"
#include "core/theory/rate_law.hpp"
#include "core/theory/standard_rates.hpp"

namespace bloometry::theory {

ClaimLaw cell_claim_law(ProbeModel model, std::uint64_t n, const Geometry& geometry) {
  const std::uint64_t m = geometry.num_cells;
  const unsigned k = geometry.num_hashes;
  const statistics::RateMixture rates = rate_law(model, n, m, k);
  return {.expected_rate = exact_rate(model, n, m, k),
          .rate_stddev = std::sqrt(rates.variance()),
          .rates = rates,
          .is_bound = false,
          .has_fill_law = true};
}

ClaimLaw block_claim_law(ProbeModel model, std::uint64_t n, const Geometry& geometry,
                         double expected_rate, double rate_stddev) {
  return {.expected_rate = expected_rate,
          .rate_stddev = rate_stddev,
          .rates = block_rate_law(model, n, geometry),
          .is_bound = true,
          .has_fill_law = false};
}

ClaimLaw fingerprint_claim_law(std::uint64_t n, double num_fingerprints, double expected_rate) {
  const statistics::RateMixture rates =
      num_fingerprints > 0x1p62 ? statistics::RateMixture::certain(expected_rate)
                                : rate_law(ProbeModel::kWithReplacement, n,
                                           static_cast<std::uint64_t>(num_fingerprints), 1);
  return {.expected_rate = expected_rate,
          .rate_stddev = std::sqrt(rates.variance()),
          .rates = rates,
          .is_bound = false,
          .has_fill_law = false};
}

}  // namespace bloometry::theory
