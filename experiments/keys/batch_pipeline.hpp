#pragma once

#include <functional>

#include "experiments/keys/key_input.hpp"

namespace bloometry {

/// Reads the input in batches and calls `process` for each batch, on any thread. Afterwards
/// for_each_batch() calls `consume` for the batch, on the caller's thread and in the order of the
/// input. If `process` or `consume` throws, reading stops and for_each_batch() rethrows the
/// exception. The division into batches does not depend on num_workers.
///
/// @param num_workers number of threads that read and process batches; the caller's thread then
/// only consumes batches. If num_workers is 0, the caller's thread does all the work.
void for_each_batch(KeyInput& input, unsigned num_workers,
                    const std::function<void(KeyBatch&)>& process,
                    const std::function<void(KeyBatch&)>& consume);

}  // namespace bloometry
