#include "variants/redis/native_positions.hpp"

#include <type_traits>

#include "core/block/block_layout.hpp"
#include "core/engine/block_filter.hpp"
#include "core/engine/cell_filter.hpp"
#include "core/engine/key_positions.hpp"
#include "core/error.hpp"
#include "variants/blocked/blocked_filter.hpp"
#include "variants/lanes/lanes_filter.hpp"
#include "variants/partitioned/partitioned_filter.hpp"
#include "variants/registry/registry.hpp"
#include "variants/split_block/split_block_filter.hpp"
#include "variants/standard/standard_filter.hpp"

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

template <class F, class... Ps>
WritePositions writer_of_scheme(std::string_view probes, std::type_identity<ProbeList<Ps...>>) {
  WritePositions writer = nullptr;
  static_cast<void>(
      ((probes == Ps::kName &&
        (writer = writer_of(std::type_identity<typename F::template WithProbes<Ps>>{}), true)) ||
       ...));
  return writer;
}

template <class... Fs>
WritePositions find_writer(std::string_view variant, std::string_view probes) {
  WritePositions writer = nullptr;
  static_cast<void>(
      ((variant == Fs::kName &&
        (writer = writer_of_scheme<Fs>(probes, std::type_identity<typename Fs::SupportedProbes>{}),
         true)) ||
       ...));
  return writer;
}

}  // namespace

WritePositions positions_of_variant(std::string_view variant, std::string_view probes) {
  static_cast<void>(find_variant(variant).scheme(probes));
  const WritePositions writer =
      find_writer<StandardFilter, PartitionedFilter, BlockedFilter, SplitBlockFilter, LanesFilter>(
          variant, probes);
  if (writer == nullptr) {
    throw ConfigError("variant",
                      "must be standard, partitioned, blocked, split_block or lanes, got '" +
                          std::string(variant) + "'");
  }
  return writer;
}

}  // namespace bloometry
