#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "core/file/file_header.hpp"

namespace bloometry {

/// @throws ConfigError "PATH cannot be read as a filter file: REASON"
[[noreturn]] void refuse_file(const std::filesystem::path& path, const std::string& reason);

/// A filter file that is open to be read once. Errors name the file; a file that is not what it
/// says takes no more time than to read it, and no more memory than it has bytes.
class StoredFile {
 public:
  /// Reads the header.
  /// @throws ConfigError if it is no regular file, or no filter file that this version can read;
  /// IoError
  explicit StoredFile(const std::filesystem::path& path);
  ~StoredFile();
  StoredFile(const StoredFile&) = delete;
  StoredFile& operator=(const StoredFile&) = delete;

  [[nodiscard]] const FileHeader& header() const noexcept { return header_; }

  [[nodiscard]] const FilePreamble& preamble() const noexcept { return preamble_; }

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  [[nodiscard]] int descriptor() const noexcept { return fd_; }

  /// Reads the cells of the next store, and the padding behind them. @throws IoError
  void read(std::span<std::uint64_t> words);

  /// To be called when all is read. @throws ConfigError if the checksum differs.
  void require_intact() const;

  /// @throws ConfigError as refuse_file
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

/// Reads a header without its payload. @throws as StoredFile
[[nodiscard]] FileHeader read_header(const std::filesystem::path& path);

/// Reads all of a file. @throws ConfigError if header or payload differ from their checksums, or as
/// StoredFile; IoError
void verify_checksums(const std::filesystem::path& path);

/// Bytes that stores of so many words take in a file.
[[nodiscard]] std::uint64_t payload_bytes_of(std::span<const std::uint64_t> num_words) noexcept;

/// Writes header and stores.
/// @throws as encode_header and replace_file
void write_filter_file(const std::filesystem::path& path, const FileHeader& header,
                       std::span<const std::span<const std::uint64_t>> stores);

}  // namespace bloometry
