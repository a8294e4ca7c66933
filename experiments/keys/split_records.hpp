#pragma once

#include "experiments/keys/key_batch.hpp"
#include "experiments/keys/key_format.hpp"

namespace bloometry {

/// Divides the bytes of a batch into its keys, and decodes the keys.
/// @param with_records whether to also store the record of each key, including its line end
/// @throws ConfigError as split_csv() and decode_keys() do
void split_records(const KeyFormat& format, KeyBatch& batch, bool with_records);

}  // namespace bloometry
