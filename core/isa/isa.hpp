#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace bloometry {

/// Instruction sets that code is written for; each includes those before it.
///
/// baseline: what every processor of the architecture has, the only one off x86-64. avx2: AVX2 and
/// BMI2. avx512: AVX-512 F, DQ, BW and VL as well.
enum class Isa { kBaseline, kAvx2, kAvx512 };

inline constexpr std::array<std::string_view, 3> kIsaNames = {"baseline", "avx2", "avx512"};

[[nodiscard]] constexpr std::string_view isa_name(Isa isa) noexcept {
  return kIsaNames[static_cast<std::size_t>(isa)];
}

/// Names the instruction set to be used, one of kIsaNames: to measure the others, or for a tool
/// that does not know the widest (valgrind knows no AVX-512).
inline constexpr const char* kIsaVariable = "BLOOMETRY_ISA";

/// What this processor and this operating system can run, kBaseline first: never empty.
[[nodiscard]] std::vector<Isa> supported_isas();

/// The instruction set of everything that dispatches: what BLOOMETRY_ISA names, else the last of
/// supported_isas. Decided once a process, at the first call. What require_valid_isa_choice refuses
/// is as if the variable were not set, so that a library never stops a program that did not ask.
[[nodiscard]] Isa active_isa() noexcept;

/// Whether code may use the AES instructions (AESENC): the processor has them, and active_isa() is
/// more than kBaseline.
[[nodiscard]] bool uses_aes_instructions() noexcept;

/// @throws ConfigError if BLOOMETRY_ISA is set to no name of an instruction set, or to one that
/// this machine cannot run. The program bloometry begins with it.
void require_valid_isa_choice();

}  // namespace bloometry
