#include "core/isa/isa_support.hpp"

namespace bloometry {

// The compiler's run-time library queries the processor. The library also checks by XGETBV that the
// operating system saves the wide registers.
bool is_supported(Isa isa) noexcept {
  __builtin_cpu_init();
  switch (isa) {
    case Isa::kAvx512:
      return is_supported(Isa::kAvx2) && __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512vl");
    case Isa::kAvx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    case Isa::kBaseline:
      break;
  }
  return true;
}

bool has_aes_instructions() noexcept {
  __builtin_cpu_init();
  return __builtin_cpu_supports("aes");
}

}  // namespace bloometry
