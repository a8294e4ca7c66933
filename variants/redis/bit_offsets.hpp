#pragma once

#include <cstdint>
#include <span>

#include "core/engine/hashed_chunks.hpp"
#include "core/hash/key_view.hpp"
#include "variants/redis/native_positions.hpp"
#include "variants/redis/redis_parameters.hpp"

namespace bloometry {

/// Computes the GETBIT offsets of the bits of keys. In a filter of several strings, the offsets
/// count the bits of all strings in order.
class BitOffsets {
 public:
  /// Prepares the computation of offsets for a filter.
  /// @param hash for a native filter, the hash that the filter's parameters name; must outlive this
  /// object
  BitOffsets(const RedisParameters& parameters, const HashCall& hash);

  [[nodiscard]] unsigned num_hashes() const noexcept { return geometry_.num_hashes; }

  /// Writes num_hashes() offsets per key, in the order of the keys.
  void write(std::span<const KeyView> keys, std::span<std::uint64_t> offsets) const;

 private:
  void write_native(std::span<const KeyView> keys, std::span<std::uint64_t> offsets) const;
  void write_foreign(std::span<const KeyView> keys, std::span<std::uint64_t> offsets) const;

  Geometry geometry_;
  std::optional<RedisScheme> scheme_;
  HashCall hash_;
  WritePositions write_positions_ = nullptr;
};

}  // namespace bloometry
