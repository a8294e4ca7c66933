#include "core/theory/fill_kernels.hpp"

namespace bloometry::theory {

const FillKernels& fill_kernels(Isa /*always_baseline*/) noexcept {
  return kBaselineFillKernels;
}

}  // namespace bloometry::theory
