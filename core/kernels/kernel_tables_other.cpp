#include "core/kernels/kernel_table.hpp"

namespace bloometry::block {

const KernelTable& kernel_table(Isa /*always_baseline*/) noexcept {
  return kBaselineKernels;
}

}  // namespace bloometry::block
