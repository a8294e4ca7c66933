#include <cpuid.h>

#include "core/isa/isa_support.hpp"

namespace bloometry {
namespace {

/// Returns whether the processor has VAES. The function calls CPUID itself, because clang 14 does
/// not accept "vaes" in __builtin_cpu_supports.
bool has_vaes_instructions() noexcept {
  constexpr unsigned kVaesBit = 1U << 9U;
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (ecx & kVaesBit) != 0;
}

}  // namespace

// The compiler's run-time library queries the processor. The run-time library also checks by XGETBV
// that the operating system saves the wide registers.
bool is_supported(Isa isa) noexcept {
  __builtin_cpu_init();
  switch (isa) {
    case Isa::kVaes:
      return is_supported(Isa::kAvx512) && has_aes_instructions() && has_vaes_instructions();
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
