#include "variants/standard/remix_insert.hpp"

namespace bloometry {

RemixInsert remix_insert(Isa isa, std::uint64_t num_bits, unsigned num_hashes) noexcept {
  if (num_bits >> 32U != 0 || num_hashes > kMostRemixHashes) return nullptr;
  return isa == Isa::kAvx512 || isa == Isa::kVaes ? remix_insert_avx512 : nullptr;
}

}  // namespace bloometry
