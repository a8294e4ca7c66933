#pragma once

#include <string>
#include <string_view>

namespace bloometry {

/// 32 hex digits of the XXH3-128 of some bytes, high word first: names units, configs and key
/// files. The same text as `xxhsum -H2` prints.
[[nodiscard]] std::string content_hash(std::string_view bytes);

}  // namespace bloometry
