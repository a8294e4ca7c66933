#pragma once

#include <functional>
#include <string>

#include "experiments/keys/byte_stream.hpp"
#include "experiments/keys/key_format.hpp"
#include "experiments/keys/text_encoding.hpp"

namespace bloometry {

/// A file or pipe of keys, before its records are divided.
struct RawKeys {
  ByteStream bytes;
  std::string name{};
  bool is_pipe = false;  ///< whether the end may be a long time away
};

/// Returns the bytes of the records: decompressed if the first bytes are those of gzip or zstd, and
/// without a byte order mark at their beginning. Text in UTF-16 or UTF-32 is converted to UTF-8.
/// @param encoding encoding of text; ignored for integers
/// @param note function that is called with each note about the bytes
/// @throws ConfigError if the byte order mark belongs to another encoding; reading the result
/// throws the errors of decompressed() and decoded_text()
[[nodiscard]] ByteStream key_bytes(RawKeys raw, const KeyFormat& format, TextEncoding encoding,
                                   const std::function<void(const std::string&)>& note);

}  // namespace bloometry
