#include "experiments/subject/claim.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <stdexcept>
#include <string>

#include "core/error.hpp"
#include "core/text.hpp"
#include "core/theory/standard_rates.hpp"
#include "variants/registry/registry.hpp"
#include "variants/registry/theory_registry.hpp"

namespace bloometry {

std::vector<std::string_view> claimable_variants() {
  std::vector<std::string_view> names;
  for (const VariantInfo& info : all_variant_infos()) {
    if (find_theory(info.name).claim_law != nullptr) names.push_back(info.name);
  }
  return names;
}

void require_claimable(std::string_view variant) {
  const std::vector<std::string_view> claimable = claimable_variants();
  if (std::find(claimable.begin(), claimable.end(), variant) != claimable.end()) return;
  std::string got = fmt::format("'{}'", variant);
  for (const VariantInfo& info : all_variant_infos()) {
    if (info.name == variant) got.append(": ").append(find_theory(variant).why_not_claimable);
  }
  throw ConfigError("claim", fmt::format("must be {}, got {}", joined_by_or(claimable), got));
}

Claim make_claim(std::string_view variant, const Geometry& geometry, ProbeModel model,
                 std::uint64_t num_keys, const Params& params) {
  require_claimable(variant);
  if (num_keys == 0) throw ConfigError("num_keys", "must be at least 1, got 0");
  const VariantInfo& info = find_variant(variant);
  const Params resolved = resolve_params(variant, info.params, params);
  try {
    return {.variant = variant,
            .model = model,
            .num_keys = num_keys,
            .num_cells = geometry.num_cells,
            .num_hashes = geometry.num_hashes,
            .block_cells = geometry.block_cells,
            .cell_bits = geometry.cell_bits,
            .is_table = info.is_limited,
            .params = resolved,
            .law = find_theory(variant).claim_law(model, num_keys, geometry, resolved)};
  } catch (const std::domain_error& error) {
    throw ConfigError(error.what());
  }
}

Claim at_load(const Claim& claim, std::uint64_t num_keys) {
  if (num_keys == claim.num_keys) return claim;
  return make_claim(claim.variant, claim.geometry(), claim.model, num_keys, claim.params);
}

double rate_of_kind(const Claim& claim, const Geometry& geometry, std::uint64_t num_keys) {
  if (claim.has_blocks() && geometry.block_cells == 1) {
    return theory::exact_rate(claim.model, num_keys, geometry.num_cells, geometry.num_hashes);
  }
  return find_theory(claim.variant).claim_rate(claim.model, num_keys, geometry, claim.params);
}

}  // namespace bloometry
