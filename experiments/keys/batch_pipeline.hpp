#pragma once

#include <functional>

#include "experiments/keys/key_input.hpp"

namespace bloometry {

/// Reads the input in batches. `process` is called for each batch, on any thread. `consume` is then
/// called on the caller's thread, in the order of the input. If either throws, reading stops and
/// the exception is rethrown here. The batches do not depend on num_workers.
///
/// @param num_workers number of threads besides the caller's thread, which then only consumes. If
/// it is 0, the caller's thread does all the work.
void for_each_batch(KeyInput& input, unsigned num_workers,
                    const std::function<void(KeyBatch&)>& process,
                    const std::function<void(KeyBatch&)>& consume);

}  // namespace bloometry
