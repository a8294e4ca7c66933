#include "experiments/subject/claim.hpp"

#include <stdexcept>
#include <string>

#include "core/error.hpp"
#include "core/theory/rate_law.hpp"
#include "core/theory/standard_rates.hpp"

namespace bloometry {
namespace {

/// A counting filter answers as the bit filter of its non-zero counters (theory 3.3).
bool answers_as_bits(std::string_view variant) {
  return variant == "standard" || variant == "counting" || variant == "partitioned";
}

}  // namespace

Claim make_claim(std::string_view variant, const Geometry& geometry, ProbeModel model,
                 std::uint64_t num_keys) {
  if (!answers_as_bits(variant)) {
    throw ConfigError(
        "--claim must be standard, counting or partitioned, whose rates between filters have a "
        "known law, got '" +
        std::string(variant) + "'");
  }
  if (num_keys == 0) throw ConfigError("num_keys", "must be at least 1, got 0");
  try {
    const std::uint64_t m = geometry.num_cells;
    const unsigned k = geometry.num_hashes;
    return {variant,
            model,
            num_keys,
            m,
            k,
            theory::exact_rate(model, num_keys, m, k),
            theory::rate_law(model, num_keys, m, k)};
  } catch (const std::domain_error& error) {
    throw ConfigError(error.what());
  }
}

Claim at_load(const Claim& claim, std::uint64_t num_keys) {
  if (num_keys == claim.num_keys) return claim;
  return make_claim(claim.variant, {.num_cells = claim.num_cells, .num_hashes = claim.num_hashes},
                    claim.model, num_keys);
}

}  // namespace bloometry
