#include "core/store/bucket_words.hpp"
#include "variants/d_left/d_left_lookup.hpp"
#include "variants/d_left/d_left_sizing.hpp"

namespace bloometry {

DLeftLookup d_left_lookup(Isa isa, const DLeftTable& table) noexcept {
  const unsigned cell_bits = table.remainder_bits + table.counter_bits;
  if (num_bucket_words(kDLeftBucketCells, cell_bits) == 0) return nullptr;
  return isa == Isa::kAvx512 || isa == Isa::kVaes ? d_left_lookup_avx512 : nullptr;
}

}  // namespace bloometry
