#include "core/block/avx512_bodies.hpp"
#include "core/block/kernel_table.hpp"

namespace bloometry::block {

constinit const KernelTable kAvx512Kernels = make_kernel_table<avx512::BitFields, avx512::Split>();

}  // namespace bloometry::block
