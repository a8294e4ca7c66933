#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace bloometry {

/// Instruction sets for which core has separate code. Each set includes the sets before it in the
/// enumeration.
///
/// The baseline is the common subset of all processors of the architecture. The baseline is the
/// only set on architectures other than x86-64. The set avx2 adds AVX2 and BMI2. The set avx512
/// also adds AVX-512 F, DQ, BW and VL. The set vaes also adds AES and VAES, the AES instructions
/// for registers of 512 bits.
enum class Isa { kBaseline, kAvx2, kAvx512, kVaes };

inline constexpr std::array<std::string_view, 4> kIsaNames = {"baseline", "avx2", "avx512", "vaes"};

[[nodiscard]] constexpr std::string_view isa_name(Isa isa) noexcept {
  return kIsaNames[static_cast<std::size_t>(isa)];
}

/// Environment variable that names the instruction set to use. The value of the variable must be
/// one of kIsaNames. Set the variable to measure an older set, or to run under a tool that does not
/// support the newest set. For example, Valgrind does not support AVX-512.
inline constexpr const char* kIsaVariable = "BLOOMETRY_ISA";

/// Returns the instruction sets that this processor and operating system can run. The first element
/// is always kBaseline.
[[nodiscard]] std::vector<Isa> supported_isas();

/// Returns the instruction set that all code with a choice at run time uses. The result is the set
/// in BLOOMETRY_ISA, or the last element of supported_isas() if the variable is not set. The first
/// call of active_isa in a process determines the result of all calls. The function active_isa
/// ignores a value that require_valid_isa_choice rejects, so that the library never stops a
/// program.
[[nodiscard]] Isa active_isa() noexcept;

/// Returns whether code may use the AES instructions (AESENC). The result is true if the processor
/// has the AES instructions and active_isa() is not kBaseline.
[[nodiscard]] bool uses_aes_instructions() noexcept;

/// Checks BLOOMETRY_ISA. The program `bloometry` calls require_valid_isa_choice before it runs a
/// command.
/// @throws ConfigError if the variable does not name an instruction set, or names a set that this
/// machine cannot run.
void require_valid_isa_choice();

}  // namespace bloometry
