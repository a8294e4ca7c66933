#include "core/theory/fill_kernel_loops.hpp"

namespace bloometry::theory {

const FillKernels kBaselineFillKernels = kFillLoops<2>;

}  // namespace bloometry::theory
