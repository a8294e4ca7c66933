#include "core/isa/isa_support.hpp"

namespace bloometry {

bool is_supported(Isa isa) noexcept {
  return isa == Isa::kBaseline;
}

bool has_aes_instructions() noexcept {
  return false;
}

}  // namespace bloometry
