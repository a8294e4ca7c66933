#pragma once

#include <functional>

#include "experiments/keys/key_input.hpp"

namespace bloometry {

/// Reads the input in batches. `process` is called for each on some thread, `consume` on the
/// caller's, in the order of the input; either may throw, which ends the reading and is thrown
/// here. Both see the same batches in the same order whatever num_workers is.
///
/// @param num_workers threads besides the caller's, which only consumes then; 0: the caller does
/// all.
void for_each_batch(KeyInput& input, unsigned num_workers,
                    const std::function<void(KeyBatch&)>& process,
                    const std::function<void(KeyBatch&)>& consume);

}  // namespace bloometry
