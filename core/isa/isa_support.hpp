#pragma once

#include "core/isa/isa.hpp"

namespace bloometry {

/// Returns whether the processor and the operating system can run the instruction set. The function
/// is defined in the source that CMake selects for the architecture.
[[nodiscard]] bool is_supported(Isa isa) noexcept;

/// Returns whether the processor has the instructions for rounds of AES.
[[nodiscard]] bool has_aes_instructions() noexcept;

}  // namespace bloometry
