#include "core/isa/isa_support.hpp"

namespace bloometry {

bool is_supported(Isa isa) noexcept {
  return isa == Isa::kBaseline;
}

}  // namespace bloometry
