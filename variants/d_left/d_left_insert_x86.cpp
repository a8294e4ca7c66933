#include "variants/d_left/d_left_insert.hpp"

namespace bloometry {

DLeftInserts d_left_inserts(Isa isa, const DLeftTable& table) noexcept {
  if (!fits_one_vector(table)) return {};
  return isa == Isa::kAvx512 || isa == Isa::kVaes ? d_left_inserts_avx512(table) : DLeftInserts{};
}

}  // namespace bloometry
