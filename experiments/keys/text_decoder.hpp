#pragma once

#include <string>

#include "experiments/keys/byte_stream.hpp"
#include "experiments/keys/text_encoding.hpp"

namespace bloometry {

/// Returns a stream of the text `from` in UTF-8. The stream does not remove a byte order mark.
/// @param encoding kUtf8, or an encoding of UTF-16 or UTF-32
/// @param name name of the text for errors
/// Reading throws ConfigError naming the text and the line if the text is not well-formed.
[[nodiscard]] ByteStream decoded_text(TextEncoding encoding, ByteStream from, std::string name);

}  // namespace bloometry
