#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/hash/siphash_key.hpp"
#include "experiments/filter_files/file_filter.hpp"
#include "experiments/filter_files/foreign_filters.hpp"

namespace bloometry {

/// Options for reading a filter file.
struct OpenOptions {
  std::string format = "bloometry";
  SizeRequest sizes{};  ///< num_bits and num_hashes of a bitmap
  std::optional<SipHashKey> secret{};
  bool is_updated = false;  ///< whether the filter will be written in place of the file
  /// Formats that the caller can give, for the advice in an error.
  std::span<const std::string_view> formats = foreign_file_formats();
};

/// Throws ConfigError for a file that is not readable or not a regular file.
void require_readable(const std::filesystem::path& path);

/// Reads a filter of this library or of another program. A file of another program is decompressed
/// if it is compressed by gzip or zstd. The error about a file of another format states this
/// format, if the bytes show it, and what to do.
/// @throws ConfigError naming the file, also if the file is updated and the filter would be written
/// in another form; IoError or MemoryError
[[nodiscard]] std::unique_ptr<FileFilter> open_filter(const std::filesystem::path& path,
                                                      const OpenOptions& options);

}  // namespace bloometry
