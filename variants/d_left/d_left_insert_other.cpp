#include "variants/d_left/d_left_insert.hpp"

namespace bloometry {

DLeftInserts d_left_inserts(Isa /*isa*/, const DLeftTable& /*table*/) noexcept {
  return {};
}

}  // namespace bloometry
