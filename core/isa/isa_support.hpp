#pragma once

#include "core/isa/isa.hpp"

namespace bloometry {

// One source for each architecture, chosen by CMake.

/// Whether processor and operating system can run it.
[[nodiscard]] bool is_supported(Isa isa) noexcept;

/// Whether the processor has the instructions for rounds of AES.
[[nodiscard]] bool has_aes_instructions() noexcept;

}  // namespace bloometry
