#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>

#include "core/block/block_kernels.hpp"
#include "core/integer_batch/integer_kernels.hpp"
#include "core/kernels/kernel_table.hpp"
#include "core/lane_stage/lane_stage.hpp"

namespace bloometry {

const BlockKernels& bit_field_kernels(Isa isa, unsigned block_bits, unsigned num_hashes) noexcept {
  assert(block_bits == 256 || block_bits == 512);
  assert(num_hashes >= 1 && num_hashes <= kMaxBlockHashes);
  const block::KernelTable& table = block::kernel_table(isa);
  return (block_bits == 512 ? table.bit_fields_512 : table.bit_fields_256)[num_hashes - 1];
}

const CountingKernels& counting_kernels(Isa isa, unsigned num_hashes) noexcept {
  assert(num_hashes >= 1 && num_hashes <= kMaxBlockHashes);
  return block::kernel_table(isa).counting[num_hashes - 1];
}

const BlockKernels& split_block_kernels(Isa isa) noexcept {
  return block::kernel_table(isa).split;
}

const BlockKernels& lane_kernels(Isa isa) noexcept {
  return block::kernel_table(isa).lanes;
}

namespace {

/// Returns isa, or kBaseline if the integer kernels of isa do not support the hash or the number of
/// blocks.
Isa integer_isa(Isa isa, IntegerHash::Kind kind, std::uint64_t num_blocks) noexcept {
  const bool lacks_aes = kind == IntegerHash::Kind::kAes && !uses_aes_instructions();
  return lacks_aes || num_blocks >> 32U != 0 ? Isa::kBaseline : isa;
}

/// Calls finish(kernels, locations, later, num) for each chunk of num keys. If `prefetches` is true
/// and a next chunk exists, `later` points to the locations of the next chunk. Otherwise `later` is
/// null.
template <class Finish>
void for_each_located_chunk(Isa isa, const BitFieldShape& shape, std::uint64_t num_blocks,
                            const IntegerHash& hash, const std::uint64_t* keys,
                            std::size_t num_keys, bool prefetches, Finish finish) noexcept {
  const block::KernelTable& table = block::kernel_table(integer_isa(isa, hash.kind, num_blocks));
  const auto locate_keys = table.locate_keys[static_cast<std::size_t>(hash.kind)];
  const block::LocatedKernels& kernels =
      (shape.block_bits == 512 ? table.located_512 : table.located_256)[shape.num_hashes - 1];
  std::array<block::LaneLocations, 2> locations;
  const auto locate_next = [&](block::LaneLocations& chunk) {
    const std::size_t num = std::min(num_keys, block::kIntegerChunk);
    if (num != 0) locate_keys(hash, num_blocks, keys, num, chunk);
    keys += num;
    num_keys -= num;
    return num;
  };
  std::size_t num = locate_next(locations[0]);
  for (std::size_t turn = 0; num != 0; turn ^= 1U) {
    const std::size_t num_later = locate_next(locations[turn ^ 1U]);
    finish(kernels, locations[turn], prefetches && num_later != 0 ? &locations[turn ^ 1U] : nullptr,
           num);
    num = num_later;
  }
}

}  // namespace

void contains_integers(Isa isa, const BitFieldShape& shape, const std::uint64_t* words,
                       std::uint64_t num_blocks, const IntegerHash& hash, const std::uint64_t* keys,
                       std::size_t num_keys, bool prefetches, std::uint64_t* masks) noexcept {
  for_each_located_chunk(
      isa, shape, num_blocks, hash, keys, num_keys, prefetches,
      [&](const block::LocatedKernels& kernels, const block::LaneLocations& locations,
          const block::LaneLocations* later,
          std::size_t num) { *masks++ = kernels.contains(words, locations, num, later); });
}

std::uint64_t insert_integers(Isa isa, const BitFieldShape& shape, std::uint64_t* words,
                              std::uint64_t num_blocks, const IntegerHash& hash,
                              const std::uint64_t* keys, std::size_t num_keys,
                              bool prefetches) noexcept {
  std::uint64_t num_new = 0;
  for_each_located_chunk(
      isa, shape, num_blocks, hash, keys, num_keys, prefetches,
      [&](const block::LocatedKernels& kernels, const block::LaneLocations& locations,
          const block::LaneLocations* later,
          std::size_t num) { num_new += kernels.insert(words, locations, num, later); });
  return num_new;
}

void hash_integers(Isa isa, const IntegerHash& hash, const std::uint64_t* keys,
                   std::size_t num_keys, Digest* digests) noexcept {
  const block::KernelTable& table = block::kernel_table(integer_isa(isa, hash.kind, 1));
  table.hash_integers[static_cast<std::size_t>(hash.kind)](hash, keys, num_keys, digests);
}

const IntegerKernels& split_block_integer_kernels(Isa isa, IntegerHash::Kind kind,
                                                  std::uint64_t num_blocks) noexcept {
  return block::kernel_table(integer_isa(isa, kind, num_blocks))
      .split_integers[static_cast<std::size_t>(kind)];
}

const IntegerKernels& lane_integer_kernels(Isa isa, IntegerHash::Kind kind,
                                           std::uint64_t num_blocks) noexcept {
  return block::kernel_table(integer_isa(isa, kind, num_blocks))
      .lane_integers[static_cast<std::size_t>(kind)];
}

const LaneStageKernels& lane_stage_kernels(Isa isa, std::uint64_t num_blocks) noexcept {
  return block::kernel_table(num_blocks >> 32U != 0 ? Isa::kBaseline : isa).lane_stages;
}

}  // namespace bloometry
