#include "core/store/bucket_words.hpp"
#include "variants/cuckoo/cuckoo_lookup.hpp"

namespace bloometry {

CuckooLookup cuckoo_lookup(Isa isa, const CuckooTable& table) noexcept {
  if ((table.num_buckets | table.num_fingerprints) >> 32U != 0) return nullptr;
  if (num_bucket_words(table.bucket_cells, table.cell_bits) != 1) return nullptr;
  if (isa == Isa::kAvx2) return table.prefetches ? nullptr : cuckoo_lookup_avx2;
  return isa == Isa::kAvx512 || isa == Isa::kVaes ? cuckoo_lookup_avx512 : nullptr;
}

}  // namespace bloometry
