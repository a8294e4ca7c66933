#include "core/kernels/kernel_table.hpp"

namespace bloometry::block {

const KernelTable& kernel_table(Isa isa) noexcept {
  switch (isa) {
    case Isa::kVaes:
      return kVaesKernels;
    case Isa::kAvx512:
      return kAvx512Kernels;
    case Isa::kAvx2:
      return kAvx2Kernels;
    case Isa::kBaseline:
      break;
  }
  return kBaselineKernels;
}

}  // namespace bloometry::block
