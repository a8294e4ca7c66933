#include "variants/d_left/d_left_lookup.hpp"

namespace bloometry {

DLeftLookup d_left_lookup(Isa /*isa*/, const DLeftTable& /*table*/) noexcept {
  return nullptr;
}

}  // namespace bloometry
