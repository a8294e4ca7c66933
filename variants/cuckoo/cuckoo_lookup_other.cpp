#include "variants/cuckoo/cuckoo_lookup.hpp"

namespace bloometry {

CuckooLookup cuckoo_lookup(Isa /*isa*/, const CuckooTable& /*table*/) noexcept {
  return nullptr;
}

}  // namespace bloometry
