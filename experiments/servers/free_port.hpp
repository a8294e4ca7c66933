#pragma once

#include <cstdint>

namespace bloometry {

/// Returns a loopback port that nothing listens on at this moment. @throws IoError
[[nodiscard]] std::uint16_t free_port();

}  // namespace bloometry
