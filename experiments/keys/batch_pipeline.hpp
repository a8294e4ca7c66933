#pragma once

#include <functional>

#include "experiments/keys/key_input.hpp"

namespace bloometry {

/// Reads the input in batches. `process` is called for each batch on some thread, `consume` on the
/// caller's thread in the order of the input. If either throws, reading stops and the exception is
/// rethrown here. Both see the same batches whatever num_workers is.
///
/// @param num_workers threads besides the caller's, which then only consumes; 0: the caller's
/// thread does all the work.
void for_each_batch(KeyInput& input, unsigned num_workers,
                    const std::function<void(KeyBatch&)>& process,
                    const std::function<void(KeyBatch&)>& consume);

}  // namespace bloometry
