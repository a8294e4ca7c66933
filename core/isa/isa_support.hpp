#pragma once

#include "core/isa/isa.hpp"

namespace bloometry {

/// Whether processor and operating system can run it. One source for each architecture, chosen by
/// CMake.
[[nodiscard]] bool is_supported(Isa isa) noexcept;

}  // namespace bloometry
