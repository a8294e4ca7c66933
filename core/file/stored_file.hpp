#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "core/file/file_header.hpp"

namespace bloometry {

/// Throws an error that names the file.
/// @throws ConfigError with the message "PATH cannot be read as a filter file: REASON"
[[noreturn]] void refuse_file(const std::filesystem::path& path, const std::string& reason);

/// A filter file that is open for reading in one pass. Error messages name the file. For any
/// header, a reader reads the file at most once. The limit of its memory is in core/file/README.md.
class StoredFile {
 public:
  /// Reads the header.
  /// @throws ConfigError if the path does not name a regular file, or if the file is not a filter
  /// file of a supported version.
  /// @throws IoError if a system call fails.
  explicit StoredFile(const std::filesystem::path& path);
  ~StoredFile();
  StoredFile(const StoredFile&) = delete;
  StoredFile& operator=(const StoredFile&) = delete;

  [[nodiscard]] const FileHeader& header() const noexcept { return header_; }

  [[nodiscard]] const FilePreamble& preamble() const noexcept { return preamble_; }

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  [[nodiscard]] int descriptor() const noexcept { return fd_; }

  /// Reads the cells of the next store into `words`, and skips the padding after the cells. Returns
  /// whether all bytes of the padding are 0.
  /// @throws ConfigError if the file has become shorter.
  /// @throws IoError if a system call fails.
  [[nodiscard]] bool read(std::span<std::uint64_t> words);

  /// Checks the checksum of the payload. Call the function after all stores have been read.
  /// @throws ConfigError if the checksum differs.
  void require_intact() const;

  /// Throws an error that names the file.
  /// @throws the ConfigError of refuse_file
  [[noreturn]] void refuse(const std::string& reason) const { refuse_file(path_, reason); }

 private:
  struct Hash;

  void read_bytes(char* bytes, std::uint64_t size);

  std::filesystem::path path_;
  int fd_ = -1;
  FilePreamble preamble_;
  FileHeader header_;
  std::unique_ptr<Hash> hash_;
};

/// Throws the error of a payload whose checksum differs.
/// @throws the ConfigError of refuse_file
[[noreturn]] void refuse_checksum(const std::filesystem::path& path);

/// Returns the header of a file without reading the payload.
/// @throws the errors of the constructor of StoredFile
[[nodiscard]] FileHeader read_header(const std::filesystem::path& path);

/// Reads the whole file and checks both checksums.
/// @throws ConfigError if a checksum is wrong, and the errors of the constructor of StoredFile
void verify_checksums(const std::filesystem::path& path);

/// Returns the size of the payload, in bytes, of a file whose stores have num_words[0],
/// num_words[1], ... words.
[[nodiscard]] std::uint64_t payload_bytes_of(std::span<const std::uint64_t> num_words) noexcept;

/// Writes a file with the given header and stores. Replaces an existing file.
/// @throws the errors of encode_header and replace_file
void write_filter_file(const std::filesystem::path& path, const FileHeader& header,
                       std::span<const std::span<const std::uint64_t>> stores);

}  // namespace bloometry
