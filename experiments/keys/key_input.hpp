#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/files/file_descriptor.hpp"
#include "experiments/keys/byte_stream.hpp"
#include "experiments/keys/key_batch.hpp"
#include "experiments/keys/key_format.hpp"
#include "experiments/keys/key_input_options.hpp"

namespace bloometry {

/// Maximum size of a record. The limit bounds the memory that a file without line ends needs.
inline constexpr std::size_t kMaxRecordBytes = std::size_t{16} << 20U;

/// An input of keys: files and pipes that are read in order, in batches of whole records. The end
/// of a file also ends its last record. Each source is decompressed and converted to UTF-8 if its
/// first bytes require this (key_bytes.hpp).
class KeyInput {
 public:
  /// Checks that each file exists and is not a folder. A FIFO is read like a file.
  /// @param files names of files; `-` and an empty list mean standard input. The records of the
  /// options follow the files
  /// @throws ConfigError naming a file that does not exist or is a folder.
  KeyInput(const std::vector<std::filesystem::path>& files, KeyFormat format,
           KeyInputOptions options = {});

  [[nodiscard]] const KeyFormat& format() const noexcept { return format_; }

  /// Reads the next records into a batch. Returns false at the end of the input. For a pipe, a
  /// batch contains only the bytes that are available at once, so that answers are not delayed.
  /// @throws IoError; ConfigError naming the file if a record is too long, an integer is
  /// incomplete, a column is missing, a source must not be empty, or key_bytes() throws.
  bool read(KeyBatch& batch);

  /// Returns whether all sources are regular files.
  [[nodiscard]] bool can_rewind() const noexcept;

  /// Restarts at the beginning of the input.
  void rewind();

  /// Copies sources that are not regular files into unnamed temporary files, so that the input can
  /// be read twice.
  /// @param on_bytes function that is called with the number of bytes copied
  /// @throws IoError if the temporary folder is full.
  void spool(const std::function<void(std::uint64_t)>& on_bytes);

  /// Ends a read() that waits for a pipe. The waiting read() returns false within a tenth of a
  /// second. Any thread may call stop().
  void stop() noexcept { is_stopped_ = true; }

  /// Returns the total size of all sources in bytes, or nullopt if a source is not a regular file.
  [[nodiscard]] std::optional<std::uint64_t> num_bytes() const noexcept;

  /// Returns the number of bytes read since the beginning of the input, before decompression.
  [[nodiscard]] std::uint64_t num_bytes_read() const noexcept { return num_bytes_read_; }

  /// Returns a name of the input for messages, such as `3 files`, `keys.txt` or `standard input`.
  [[nodiscard]] std::string name() const;

 private:
  struct Source {
    std::string name{};
    std::filesystem::path path{};  ///< empty for standard input and for an unnamed file
    FileDescriptor file{};
    bool is_regular = false;
    std::int64_t start = 0;
    std::uint64_t num_bytes = 0;  ///< number of bytes from `start` to the end of a regular file
    bool is_standard_input = false;
    std::string text{};     ///< records of KeyInputOptions with their line ends; empty for a file
    bool is_noted = false;  ///< whether its notes were passed to on_note
  };

  [[nodiscard]] Source source_of(const std::filesystem::path& path) const;
  [[nodiscard]] Source source_of_records() const;
  [[nodiscard]] int open(Source& source);
  [[nodiscard]] ByteStream bytes_of(Source& source);
  bool read_from(Source& source, KeyBatch& batch);
  [[nodiscard]] bool wait_for_input(const Source& source, int fd) const;
  std::size_t read_some(const Source& source, int fd, char* to, std::size_t size);
  std::size_t whole_records(std::string_view text, std::uint64_t& num_records) const;
  void require_keys(const Source& source) const;
  void require_whole_integers(const Source& source, std::size_t num_left_over) const;
  void require_short_records(const Source& source, std::string_view records) const;
  [[noreturn]] void refuse_length(const Source& source, std::uint64_t number) const;
  void find_column(const Source& source, KeyBatch& batch);

  KeyFormat format_;
  KeyInputOptions options_;
  std::vector<Source> sources_;
  std::size_t at_ = 0;  // index of the current source
  // State of the current source:
  std::optional<ByteStream> bytes_{};
  bool is_at_start_ = true;
  bool is_at_end_ = false;
  std::vector<char> rest_{};  // bytes read after the last whole record
  std::uint64_t next_record_ = 1;
  std::uint64_t column_ = 0;
  bool has_given_names_ = false;

  std::atomic<bool> is_stopped_ = false;
  std::atomic<std::uint64_t> num_bytes_read_ = 0;  // atomic, because several threads access it
};

}  // namespace bloometry
