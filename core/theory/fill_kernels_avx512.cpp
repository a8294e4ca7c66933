#include "core/theory/fill_kernel_loops.hpp"

namespace bloometry::theory {

const FillKernels kAvx512FillKernels = kFillLoops<8>;

}  // namespace bloometry::theory
