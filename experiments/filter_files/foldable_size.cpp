#include "experiments/filter_files/foldable_size.hpp"

#include <algorithm>
#include <bit>
#include <fmt/core.h>

#include "core/contract/size_axis.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

std::uint64_t num_divisors_of(std::uint64_t number) {
  std::uint64_t num_divisors = 1;
  for (std::uint64_t prime = 2; number > 1; ++prime) {
    if (prime * prime > number) prime = number;
    std::uint64_t power = 1;
    for (; number % prime == 0; number /= prime) ++power;
    num_divisors *= power;
  }
  return num_divisors;
}

/// Returns the number in [count, count + max(1, count / 64)] with the most divisors, the smallest
/// of several. Tries only multiples of a power of two near count / 512.
std::uint64_t most_divisible(std::uint64_t count) {
  constexpr std::uint64_t kQuotient = 512;  // the least number of steps in the count
  const std::uint64_t most = count + std::max<std::uint64_t>(1, count / 64);
  const std::uint64_t step = std::bit_floor(std::max<std::uint64_t>(1, count / kQuotient));
  std::uint64_t best = 0;
  std::uint64_t most_divisors = 0;
  for (std::uint64_t size = (count + step - 1) / step * step; size <= most; size += step) {
    const std::uint64_t num_divisors = num_divisors_of(size);
    if (num_divisors <= most_divisors) continue;
    best = size;
    most_divisors = num_divisors;
  }
  return best;
}

}  // namespace

std::uint64_t fold_unit(const SchemeInfo& scheme, const Geometry& geometry) noexcept {
  if (geometry.block_cells > 1) return geometry.block_cells;
  return scheme.model == ProbeModel::kPartitioned ? geometry.num_hashes : 1;
}

FoldableSize foldable_size(const VariantInfo& variant, const SchemeInfo& scheme,
                           const FilterSpec& spec) {
  if (!scheme.can_fold) {
    throw ConfigError(
        "foldable",
        fmt::format("must be left out for {} with probes {}; variants that can be folded: {}",
                    variant.name, scheme.name, joined(variants_that_can(Operation::kFold))));
  }
  const Geometry geometry = scheme.geometry(spec);
  const std::uint64_t unit = fold_unit(scheme, geometry);
  const std::uint64_t count = most_divisible((geometry.num_cells + unit - 1) / unit);
  FoldableSize size;
  size.spec = {.num_hashes = geometry.num_hashes, .params = spec.params, .max_fill = spec.max_fill};
  if (geometry.block_cells > 1) {
    size.spec.num_blocks = count;
  } else {
    set_size(size.spec, variant.cell_axis(), count * unit);
  }
  size.num_bits = count * unit * geometry.cell_bits;
  size.num_more_bits = size.num_bits - geometry.num_cells * geometry.cell_bits;
  size.num_divisors = num_divisors_of(count);
  return size;
}

}  // namespace bloometry
