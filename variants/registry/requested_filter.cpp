#include "variants/registry/requested_filter.hpp"

#include <string>

#include "core/error.hpp"
#include "variants/registry/sizing.hpp"

namespace bloometry {
namespace {

FilterSpec spec_of(const VariantInfo& variant, const SizeRequest& request) {
  FilterSpec spec{.target_false_positive_rate = request.rate,
                  .bits_per_key = request.bits_per_key,
                  .num_bits = request.num_bits,
                  .num_blocks = request.num_blocks,
                  .num_hashes = request.num_hashes,
                  .params = request.params};
  const bool is_sized_by_keys = request.rate && !variant.can(Operation::kGrow);
  // The keys of a filter that forgets are its window, unless its generations are given.
  const bool is_window =
      variant.can(Operation::kTick) && !request.params.contains("generation_capacity");
  if (is_sized_by_keys || request.bits_per_key || variant.is_limited || is_window) {
    spec.capacity = request.num_keys;
  }
  if (request.num_cells) set_size(spec, variant.cell_axis(), *request.num_cells);
  return spec;
}

}  // namespace

RatedFilter requested_filter(const VariantInfo& variant, const SizeRequest& request) {
  require_one_size(request);
  if (variant.can(Operation::kGrow) && !request.rate) {
    throw ConfigError("rate", "must be given for " + std::string(variant.name) +
                                  ": a rate like 0.01, because the filter grows");
  }
  RatedFilter filter{.variant = variant,
                     .scheme = requested_scheme(variant, request),
                     .spec = spec_of(variant, request),
                     .hash = request.hash};
  if (!request.rate && !request.num_hashes) {
    filter.spec.num_hashes =
        best_num_hashes(variant, filter.spec, filter.scheme.model, request.num_keys.value_or(0));
  }
  static_cast<void>(variant.geometry(filter.spec));  // throws if the filter is not possible
  return filter;
}

}  // namespace bloometry
