#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/hash/siphash_key.hpp"
#include "experiments/filters/file_filter.hpp"
#include "experiments/filters/foreign_filters.hpp"

namespace bloometry {

/// Options for reading a filter file.
struct OpenOptions {
  std::string format = "bloometry";
  GivenSizes sizes{};  ///< m and k of a bitmap
  std::optional<SipHashKey> secret{};
};

/// Reads a filter of this library or of another program. A file of another program is decompressed
/// if it is compressed by gzip or zstd.
/// @throws ConfigError naming the file, IoError or MemoryError
[[nodiscard]] std::unique_ptr<FileFilter> open_filter(const std::filesystem::path& path,
                                                      const OpenOptions& options);

}  // namespace bloometry
