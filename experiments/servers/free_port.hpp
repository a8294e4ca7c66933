#pragma once

#include <cstdint>

namespace bloometry {

/// Returns a loopback port that is unused at the time of the call. @throws IoError
[[nodiscard]] std::uint16_t free_port();

}  // namespace bloometry
