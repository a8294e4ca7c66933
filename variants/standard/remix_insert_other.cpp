#include "variants/standard/remix_insert.hpp"

namespace bloometry {

RemixInsert remix_insert(Isa /*isa*/, std::uint64_t /*num_bits*/,
                         unsigned /*num_hashes*/) noexcept {
  return nullptr;
}

}  // namespace bloometry
