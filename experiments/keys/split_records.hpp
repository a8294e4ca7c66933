#pragma once

#include "experiments/keys/key_batch.hpp"
#include "experiments/keys/key_format.hpp"

namespace bloometry {

/// Cuts the bytes of a batch into its keys.
/// @param with_records also keep what each key was cut out of, its end included.
/// @throws ConfigError as split_csv
void split_records(const KeyFormat& format, KeyBatch& batch, bool with_records);

}  // namespace bloometry
