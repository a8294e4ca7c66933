#pragma once

#include <cstdint>
#include <functional>

#include "experiments/keys/key_input.hpp"

namespace bloometry {

/// Reads the whole input, counts its keys including duplicates, and rewinds the input.
/// @param on_batch function that is called after each batch
/// @throws as KeyInput::read
[[nodiscard]] std::uint64_t count_keys(KeyInput& input, const std::function<void()>& on_batch);

}  // namespace bloometry
