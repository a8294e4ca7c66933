#include "core/block/block_kernels.hpp"

#include <cassert>

#include "core/block/integer_kernels.hpp"
#include "core/block/kernel_table.hpp"

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

/// isa, or kBaseline where its kernels for integers cannot run.
Isa integer_isa(Isa isa, IntegerHash::Kind kind, std::uint64_t num_blocks) noexcept {
  const bool lacks_aes = kind == IntegerHash::Kind::kAes && !uses_aes_instructions();
  return lacks_aes || num_blocks >> 32U != 0 ? Isa::kBaseline : isa;
}

}  // namespace

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

}  // namespace bloometry
