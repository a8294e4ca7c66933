#pragma once

#include <cstdint>
#include <span>

#include "core/block/block_kernels.hpp"
#include "core/hash/digest.hpp"
#include "core/hash/range_reduction.hpp"
#include "core/integer_batch/integer_kernels.hpp"
#include "core/isa/compiled_isa.hpp"
#include "core/isa/isa.hpp"
#include "core/probe/lane_bits.hpp"
#include "core/probe/split_block_bits.hpp"

#if defined(BLOOMETRY_COMPILED_FOR_AVX512)
#include "core/block/inlined_avx512.hpp"
#elif defined(BLOOMETRY_COMPILED_FOR_AVX2)
#include "core/block/inlined_avx2.hpp"
#elif defined(__x86_64__)
#include "core/block/inlined_x86_64.hpp"
#else
#include "core/block/inlined_none.hpp"
#endif

namespace bloometry {
inline namespace BLOOMETRY_COMPILED_ISA {

/// Operations of a block filter with the kernels of the active instruction set, which the
/// constructor looks up. The functions have the arguments and results of the functions of
/// BlockKernels.
class BlockOperations {
 public:
  /// Looks up at most 64 digests. Returns a mask whose bit i is contains(chunk[i]).
  [[nodiscard]] std::uint64_t contains_mask(std::span<const std::uint64_t> words,
                                            std::uint64_t num_blocks,
                                            std::span<const Digest> chunk) const noexcept {
    return kernels_.contains_mask(words.data(), num_blocks, chunk.data(), chunk.size());
  }

  std::uint64_t insert_mask(std::span<std::uint64_t> words, std::uint64_t num_blocks,
                            std::span<const Digest> chunk) const noexcept {
    return kernels_.insert_mask(words.data(), num_blocks, chunk.data(), chunk.size());
  }

  /// Inserts a key and returns the numbers of set bits of its block before and after the insert.
  OnesInBlock insert_counted(std::span<std::uint64_t> words, std::uint64_t num_blocks,
                             const Digest& digest) const noexcept {
    return kernels_.insert_counted(words.data(), num_blocks, digest);
  }

  friend bool operator==(const BlockOperations&, const BlockOperations&) = default;

 protected:
  explicit BlockOperations(const BlockKernels& kernels) noexcept : kernels_(kernels) {}

  [[nodiscard]] const BlockKernels& kernels() const noexcept { return kernels_; }

 private:
  BlockKernels kernels_;
};

/// Operations of the blocked filter with scheme bit_fields.
class BitFieldOperations : public BlockOperations {
 public:
  /// The arguments block_bits and num_hashes have the ranges in the comment of bit_field_kernels.
  BitFieldOperations(unsigned block_bits, unsigned num_hashes) noexcept
      : BlockOperations(bit_field_kernels(active_isa(), block_bits, num_hashes)),
        shape_{block_bits, num_hashes},
        fields_(inlined_fields(block_bits, num_hashes)) {}

  [[nodiscard]] bool contains(std::span<const std::uint64_t> words, std::uint64_t num_blocks,
                              const Digest& digest) const noexcept {
    if constexpr (inlined::kExist) {
      if (fields_ != nullptr) {
        const std::uint64_t* block = words.data() + fastrange(digest.hi, num_blocks) * 8;
        return inlined::BitFields::contains(block, digest.lo, *fields_);
      }
    }
    return kernels().contains(words.data(), num_blocks, digest);
  }

  bool insert(std::span<std::uint64_t> words, std::uint64_t num_blocks,
              const Digest& digest) const noexcept {
    if constexpr (inlined::kInsertFields) {
      if (fields_ != nullptr) {
        std::uint64_t* block = words.data() + fastrange(digest.hi, num_blocks) * 8;
        return inlined::BitFields::insert(block, digest.lo, *fields_);
      }
    }
    return kernels().insert(words.data(), num_blocks, digest);
  }

  /// Looks up integer keys as IntegerKernels::contains does. Bit i mod 64 of masks[i / 64] is the
  /// answer for key i.
  void contains_integers(std::span<const std::uint64_t> words, std::uint64_t num_blocks,
                         const IntegerHash& hash, std::span<const std::uint64_t> keys,
                         bool prefetches, std::uint64_t* masks) const noexcept {
    bloometry::contains_integers(active_isa(), shape_, words.data(), num_blocks, hash, keys.data(),
                                 keys.size(), prefetches, masks);
  }

  std::uint64_t insert_integers(std::span<std::uint64_t> words, std::uint64_t num_blocks,
                                const IntegerHash& hash, std::span<const std::uint64_t> keys,
                                bool prefetches) const noexcept {
    return bloometry::insert_integers(active_isa(), shape_, words.data(), num_blocks, hash,
                                      keys.data(), keys.size(), prefetches);
  }

  friend bool operator==(const BitFieldOperations&, const BitFieldOperations&) = default;

 private:
  /// Returns the selection of the fields that contain a key's probes, or null if `contains` must
  /// call a kernel.
  static const inlined::FieldSelection* inlined_fields(unsigned block_bits,
                                                       unsigned num_hashes) noexcept {
    const bool is_inlined =
        block_bits == 512 && num_hashes <= inlined::kMaxFieldHashes && inlined::are_callable();
    return is_inlined ? &inlined::kFirstFields[num_hashes] : nullptr;
  }

  BitFieldShape shape_;
  const inlined::FieldSelection* fields_;
};

/// Operations of the blocked counting filter with scheme bit_fields.
class CountingOperations : public BlockOperations {
 public:
  /// The argument num_hashes must be in [1, kMaxBlockHashes].
  explicit CountingOperations(unsigned num_hashes) noexcept
      : CountingOperations(counting_kernels(active_isa(), num_hashes)) {}

  [[nodiscard]] bool contains(std::span<const std::uint64_t> words, std::uint64_t num_blocks,
                              const Digest& digest) const noexcept {
    return kernels().contains(words.data(), num_blocks, digest);
  }

  bool insert(std::span<std::uint64_t> words, std::uint64_t num_blocks,
              const Digest& digest) const noexcept {
    return kernels().insert(words.data(), num_blocks, digest);
  }

  bool erase(std::span<std::uint64_t> words, std::uint64_t num_blocks, const Digest& digest,
             std::uint64_t& num_skipped) const noexcept {
    return erase_(words.data(), num_blocks, digest, num_skipped);
  }

  std::uint64_t erase_mask(std::span<std::uint64_t> words, std::uint64_t num_blocks,
                           std::span<const Digest> chunk,
                           std::uint64_t& num_skipped) const noexcept {
    return erase_mask_(words.data(), num_blocks, chunk.data(), chunk.size(), num_skipped);
  }

 private:
  explicit CountingOperations(const CountingKernels& all) noexcept
      : BlockOperations(all.kernels), erase_(all.erase), erase_mask_(all.erase_mask) {}

  decltype(CountingKernels::erase) erase_;
  decltype(CountingKernels::erase_mask) erase_mask_;
};

/// Operations of a filter with a fixed block shape and a fixed number of hashes. Layout has the
/// following static members. `bool kUsesHi` is true if the kernels read digest.hi. `Inlined` is the
/// type of the inlined bodies, with contains and insert. `const BlockKernels& kernels(Isa)` returns
/// the kernels. `const IntegerKernels& integer_kernels(Isa, IntegerHash::Kind, num_blocks)` returns
/// the kernels for integer keys.
/// `std::uint64_t first_word(const Digest&, std::uint64_t num_blocks)` returns the index of the
/// first word of the key's block.
template <class Layout>
class FixedOperations : public BlockOperations {
 public:
  FixedOperations() noexcept
      : BlockOperations(Layout::kernels(active_isa())), is_inlined_(inlined::are_callable()) {}

  [[nodiscard]] bool contains(std::span<const std::uint64_t> words, std::uint64_t num_blocks,
                              const Digest& digest) const noexcept {
    if constexpr (inlined::kExist) {
      if (inlined::kAlways || is_inlined_) {
        return Layout::Inlined::contains(block_of(words, num_blocks, digest), digest.lo);
      }
    }
    return kernels().contains(words.data(), num_blocks, used(digest));
  }

  bool insert(std::span<std::uint64_t> words, std::uint64_t num_blocks,
              const Digest& digest) const noexcept {
    if constexpr (inlined::kExist) {
      if (inlined::kAlways || is_inlined_) {
        return Layout::Inlined::insert(block_of(words, num_blocks, digest), digest.lo);
      }
    }
    return kernels().insert(words.data(), num_blocks, used(digest));
  }

  /// Looks up integer keys as IntegerKernels::contains does. Bit i mod 64 of masks[i / 64] is the
  /// answer for key i.
  void contains_integers(std::span<const std::uint64_t> words, std::uint64_t num_blocks,
                         const IntegerHash& hash, std::span<const std::uint64_t> keys,
                         bool prefetches, std::uint64_t* masks) const noexcept {
    const auto& kernels = Layout::integer_kernels(active_isa(), hash.kind, num_blocks);
    kernels.contains(words.data(), num_blocks, hash, keys.data(), keys.size(), prefetches, masks);
  }

  std::uint64_t insert_integers(std::span<std::uint64_t> words, std::uint64_t num_blocks,
                                const IntegerHash& hash, std::span<const std::uint64_t> keys,
                                bool prefetches) const noexcept {
    const auto& kernels = Layout::integer_kernels(active_isa(), hash.kind, num_blocks);
    return kernels.insert(words.data(), num_blocks, hash, keys.data(), keys.size(), prefetches);
  }

  friend bool operator==(const FixedOperations&, const FixedOperations&) = default;

 private:
  /// Returns the digest, with 0 as digest.hi if the kernels do not read digest.hi. If the function
  /// returned the whole digest, g++ would compute digest.hi even for kernels that do not read
  /// digest.hi.
  static Digest used(const Digest& digest) noexcept {
    return Layout::kUsesHi ? digest : Digest{digest.lo, 0};
  }

  template <class Word>
  static Word* block_of(std::span<Word> words, std::uint64_t num_blocks,
                        const Digest& digest) noexcept {
    return words.data() + Layout::first_word(digest, num_blocks);
  }

  bool is_inlined_;
};

struct LaneLayout {
  static constexpr bool kUsesHi = true;
  using Inlined = inlined::LaneFields;

  static const BlockKernels& kernels(Isa isa) noexcept { return lane_kernels(isa); }

  static const IntegerKernels& integer_kernels(Isa isa, IntegerHash::Kind kind,
                                               std::uint64_t num_blocks) noexcept {
    return lane_integer_kernels(isa, kind, num_blocks);
  }

  static std::uint64_t first_word(const Digest& digest, std::uint64_t num_blocks) noexcept {
    return fastrange(digest.hi, num_blocks) * block::kNumLanes;
  }
};

struct SplitBlockLayout {
  static constexpr bool kUsesHi = false;
  using Inlined = inlined::Split;

  static const BlockKernels& kernels(Isa isa) noexcept { return split_block_kernels(isa); }

  static const IntegerKernels& integer_kernels(Isa isa, IntegerHash::Kind kind,
                                               std::uint64_t num_blocks) noexcept {
    return split_block_integer_kernels(isa, kind, num_blocks);
  }

  static std::uint64_t first_word(const Digest& digest, std::uint64_t num_blocks) noexcept {
    return block::split_block_of(digest.lo, num_blocks) * 4;
  }
};

/// Operations of the lanes filter and of the split block filter.
using LaneOperations = FixedOperations<LaneLayout>;
using SplitBlockOperations = FixedOperations<SplitBlockLayout>;

}  // namespace BLOOMETRY_COMPILED_ISA
}  // namespace bloometry
