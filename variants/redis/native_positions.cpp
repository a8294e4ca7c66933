#include "variants/redis/native_positions.hpp"

#include <concepts>
#include <string>
#include <type_traits>

#include "core/block/block_layout.hpp"
#include "core/engine/block_filter.hpp"
#include "core/engine/cell_filter.hpp"
#include "core/engine/key_positions.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "variants/registry/all_variants.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

template <class Design, class P>
void write_cells(const Geometry& geometry, std::span<const Digest> digests,
                 std::uint64_t* positions) {
  const Design design = design_for<Design>(geometry, {});
  for (const Digest& digest : digests) {
    for (const std::uint64_t i :
         KeyPositions<Design, P>(design, digest, geometry.num_cells, geometry.num_hashes)) {
      *positions++ = i;
    }
  }
}

template <class Design, class P>
std::uint64_t block_number(const Digest& digest, std::uint64_t num_blocks) {
  if constexpr (requires { Design::block_number(digest, num_blocks); }) {
    return Design::block_number(digest, num_blocks);
  } else {
    return fastrange(block_word<P>(digest), num_blocks);
  }
}

template <class Design, class P>
void write_cells_of_blocks(const Geometry& geometry, std::span<const Digest> digests,
                           std::uint64_t* positions) {
  const Design design = design_for<Design>(geometry, {});
  for (const Digest& digest : digests) {
    const std::uint64_t first =
        block_number<Design, P>(digest, geometry.num_blocks()) * geometry.block_cells;
    for (const std::uint64_t i :
         KeyPositions<Design, P>(design, digest, geometry.block_cells, geometry.num_hashes)) {
      *positions++ = first + i;
    }
  }
}

template <class Design, class P, class Memory>
WritePositions writer_of(std::type_identity<CellFilter<Design, P, Memory>> /*filter*/) {
  return &write_cells<Design, P>;
}

template <class Design, class P, class Memory>
WritePositions writer_of(std::type_identity<BlockFilter<Design, P, Memory>> /*filter*/) {
  return &write_cells_of_blocks<Design, P>;
}

/// Whether the bits of a filter and the positions of a key answer a query, without further settings
/// of the filter.
template <class Design>
inline constexpr bool kAnswersByBits =
    std::same_as<typename Design::Cells, Bits>&& Design::kDescription.passes_nonzero_cells() &&
    !HasSettings<Design>;

template <class F>
inline constexpr bool kHasBits = false;

template <class Design, class P, class Memory>
inline constexpr bool kHasBits<CellFilter<Design, P, Memory>> = kAnswersByBits<Design>;

template <class Design, class P, class Memory>
inline constexpr bool kHasBits<BlockFilter<Design, P, Memory>> = kAnswersByBits<Design>;

template <class F, class... Ps>
WritePositions writer_of_scheme(std::string_view probes, std::type_identity<ProbeList<Ps...>>) {
  WritePositions writer = nullptr;
  static_cast<void>(
      ((probes == Ps::kName &&
        (writer = writer_of(std::type_identity<typename F::template WithProbes<Ps>>{}), true)) ||
       ...));
  return writer;
}

/// A variant whose cells are one array of bits.
struct BitVariant {
  std::string_view name;
  WritePositions (*writer)(std::string_view probes);
};

template <class... Fs>
std::vector<BitVariant> bit_variants(VariantList<Fs...>) {
  std::vector<BitVariant> variants;
  const auto add = [&](auto type) {
    using F = typename decltype(type)::type;
    if constexpr (kHasBits<F>) {
      variants.push_back({F::kName, [](std::string_view probes) {
                            using Schemes = std::type_identity<typename F::SupportedProbes>;
                            return writer_of_scheme<F>(probes, Schemes{});
                          }});
    }
  };
  (add(std::type_identity<Fs>{}), ...);
  return variants;
}

}  // namespace

std::vector<std::string_view> variants_of_bits() {
  std::vector<std::string_view> names;
  for (const BitVariant& variant : bit_variants(AllVariants{})) names.push_back(variant.name);
  return names;
}

WritePositions positions_of_variant(std::string_view variant, std::string_view probes) {
  static_cast<void>(find_variant(variant).scheme(probes));
  for (const BitVariant& known : bit_variants(AllVariants{})) {
    if (known.name == variant) return known.writer(probes);
  }
  throw ConfigError("variant", "must be " + joined_by_or(variants_of_bits()) + ", got '" +
                                   std::string(variant) + "'");
}

}  // namespace bloometry
