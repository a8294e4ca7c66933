#pragma once

#include <cstddef>
#include <string_view>

namespace bloometry {

/// The kind of content of a file, which determines how its keys or its filter can be used.
enum class FileContent {
  kPacked,      ///< compressed data or an archive
  kData,        ///< data without a filter, such as a database
  kParquet,     ///< columns, and perhaps Bloom filters of Parquet
  kJavaObject,  ///< an object of any class
  kRedisDump,   ///< all keys of a Redis server
  kOwnFilter,   ///< a filter of this library
};

/// A format whose files have fixed bytes at an offset.
struct FileSignature {
  /// At least 4 bytes, so that random bytes contain them with a probability below 1e-9. The byte
  /// 0xff stands for any digit from 1 to 9.
  std::string_view bytes;
  std::string_view name;  ///< such as `xz data` or `a ZIP archive`
  FileContent content;
  std::size_t offset = 0;
};

/// Returns the format of a file with these first bytes, or null if its bytes are not known.
[[nodiscard]] const FileSignature* find_signature(std::string_view start) noexcept;

}  // namespace bloometry
