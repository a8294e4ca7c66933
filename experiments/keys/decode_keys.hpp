#pragma once

#include "experiments/keys/key_batch.hpp"
#include "experiments/keys/key_format.hpp"

namespace bloometry {

/// Replaces the keys of a batch by the bytes that they encode: hexadecimal digits, base64, or text
/// in UTF-8 that is converted to UTF-16. Base64 may have the alphabet of URLs, and its padding may
/// be missing. Keys of other formats do not change.
/// @throws ConfigError naming file and line if a key is not well-formed
void decode_keys(const KeyFormat& format, KeyBatch& batch);

}  // namespace bloometry
