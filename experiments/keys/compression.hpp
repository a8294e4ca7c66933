#pragma once

#include <string>
#include <string_view>

#include "experiments/keys/byte_stream.hpp"

namespace bloometry {

enum class Compression { kNone, kGzip, kZstd };

/// Returns `gzip` or `zstd`.
[[nodiscard]] std::string_view name_of(Compression compression) noexcept;

/// Length of the header of gzip in bytes. compression_of() tests 38 bits of the header.
inline constexpr std::size_t kGzipHeaderBytes = 10;

/// Returns the compression of data with these first bytes: the complete header, or all bytes of
/// data that were cut inside the header. The result is kNone for less than the magic number.
[[nodiscard]] Compression compression_of(std::string_view start) noexcept;

/// Returns whether compressed data may begin with these bytes, of which there may be none.
[[nodiscard]] bool may_be_compressed(std::string_view start) noexcept;

/// Returns a stream of the decompressed bytes of `from`. The stream contains all members of a gzip
/// file and all frames of a zstd file. It needs at most 130 MiB of memory.
/// @param name name of the data for errors
/// @throws MemoryError; reading throws ConfigError naming the data if they are damaged or
/// incomplete, if other bytes follow, or if a zstd frame needs a window above 128 MiB.
[[nodiscard]] ByteStream decompressed(Compression compression, ByteStream from, std::string name);

}  // namespace bloometry
