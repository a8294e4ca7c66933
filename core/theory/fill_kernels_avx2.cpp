#include "core/theory/fill_kernel_loops.hpp"

namespace bloometry::theory {

const FillKernels kAvx2FillKernels = kFillLoops<4>;

}  // namespace bloometry::theory
