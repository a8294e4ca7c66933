#include "variants/redis/bit_offsets.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "variants/foreign/redis_bitmap/redis_probes.hpp"

namespace bloometry {

BitOffsets::BitOffsets(const RedisParameters& parameters, const HashCall& hash)
    : geometry_(parameters.geometry()), scheme_(parameters.scheme), hash_(hash) {
  if (!scheme_) write_positions_ = positions_of_variant(parameters.variant, parameters.probes);
}

void BitOffsets::write(std::span<const KeyView> keys, std::span<std::uint64_t> offsets) const {
  assert(offsets.size() == keys.size() * num_hashes());
  scheme_ ? write_foreign(keys, offsets) : write_native(keys, offsets);
}

void BitOffsets::write_native(std::span<const KeyView> keys,
                              std::span<std::uint64_t> offsets) const {
  constexpr std::size_t kMaxChunk = 64;
  std::array<Digest, kMaxChunk> digests{};
  std::uint64_t* positions = offsets.data();
  while (!keys.empty()) {
    const auto chunk = keys.first(std::min(kMaxChunk, keys.size()));
    hash_.hash(hash_.hasher, chunk, digests.data());
    write_positions_(geometry_, {digests.data(), chunk.size()}, positions);
    positions += chunk.size() * num_hashes();
    keys = keys.subspan(chunk.size());
  }
  // The cells are stored as the bytes of their words, the least significant byte first. Cell i is
  // bit i mod 8 of byte i / 8. GETBIT counts the bits of a byte from the most significant bit.
  for (std::uint64_t& offset : offsets) offset ^= 7U;
}

void BitOffsets::write_foreign(std::span<const KeyView> keys,
                               std::span<std::uint64_t> offsets) const {
  std::uint64_t* offset = offsets.data();
  for (const KeyView key : keys) {
    RedisProbes probes(*scheme_, key, geometry_.num_cells);
    for (unsigned i = 0; i < num_hashes(); ++i) *offset++ = probes.next();
  }
}

}  // namespace bloometry
