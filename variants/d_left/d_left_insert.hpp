#pragma once

#include <cstddef>
#include <cstdint>

#include "core/hash/digest.hpp"
#include "core/isa/isa.hpp"
#include "variants/d_left/d_left_lookup.hpp"

namespace bloometry {

/// Functions that insert several keys into a d-left table, as DLeftDesign::try_insert does.
struct DLeftInserts {
  /// Inserts the keys up to the first one whose remainder is in the table or that has no room.
  /// Returns the number of inserted keys. The pointer `words` is that of the table.
  std::size_t (*insert_new)(const DLeftTable& table, std::uint64_t* words, const Digest* digests,
                            std::size_t num_keys) noexcept = nullptr;

  /// Prefetches the candidate buckets of the keys, except up to seven at the end.
  void (*prefetch)(const DLeftTable& table, const Digest* digests,
                   std::size_t num_keys) noexcept = nullptr;
};

/// Returns the functions of isa. They are null if isa does not have them, or if fits_one_vector()
/// is false.
[[nodiscard]] DLeftInserts d_left_inserts(Isa isa, const DLeftTable& table) noexcept;

/// The functions of AVX-512. Only d_left_inserts() calls it.
[[nodiscard]] DLeftInserts d_left_inserts_avx512(const DLeftTable& table) noexcept;

}  // namespace bloometry
