#include "core/store/bucket_words.hpp"
#include "variants/d_left/d_left_insert.hpp"
#include "variants/d_left/d_left_sizing.hpp"

namespace bloometry {

DLeftInserts d_left_inserts(Isa isa, const DLeftTable& table) noexcept {
  const unsigned cell_bits = table.remainder_bits + table.counter_bits;
  if (table.num_subtables > 4 || num_bucket_words(kDLeftBucketCells, cell_bits) != 2) return {};
  return isa == Isa::kAvx512 || isa == Isa::kVaes ? d_left_inserts_avx512(table) : DLeftInserts{};
}

}  // namespace bloometry
