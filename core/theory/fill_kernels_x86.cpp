#include "core/theory/fill_kernels.hpp"

namespace bloometry::theory {

const FillKernels& fill_kernels(Isa isa) noexcept {
  switch (isa) {
    case Isa::kVaes:
    case Isa::kAvx512:
      return kAvx512FillKernels;
    case Isa::kAvx2:
      return kAvx2FillKernels;
    case Isa::kBaseline:
      break;
  }
  return kBaselineFillKernels;
}

}  // namespace bloometry::theory
