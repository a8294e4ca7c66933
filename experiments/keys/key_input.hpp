#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/files/file_descriptor.hpp"
#include "experiments/keys/key_batch.hpp"
#include "experiments/keys/key_format.hpp"

namespace bloometry {

/// The longest record: a line without an end is not read into all of the memory.
inline constexpr std::size_t kMaxRecordBytes = std::size_t{16} << 20U;

/// Keys of files and pipes, in order, read in batches of whole records. A file's last record ends
/// with the file.
class KeyInput {
 public:
  /// @param files `-` is standard input, as is an empty list. FIFOs are read as files are.
  /// @throws ConfigError naming a file that is not there or is a folder.
  KeyInput(const std::vector<std::filesystem::path>& files, KeyFormat format);

  [[nodiscard]] const KeyFormat& format() const noexcept { return format_; }

  /// Fills the part of a batch that is read; false if there are no more records. A batch of a pipe
  /// holds what was there, so that answers do not wait for more.
  /// @throws IoError; ConfigError naming the file if a record is too long, integers are cut, or a
  /// column is missing.
  bool read(KeyBatch& batch);

  /// Whether all sources are regular files.
  [[nodiscard]] bool can_rewind() const noexcept;

  /// Reads from the start again.
  void rewind();

  /// Copies what is no regular file into temporary files without a name, so that all can be read
  /// twice.
  /// @param on_bytes is told how many bytes were copied.
  /// @throws IoError if the temporary folder is full.
  void spool(const std::function<void(std::uint64_t)>& on_bytes);

  /// Ends a read() that waits for a pipe, within a tenth of a second; there are no more records
  /// then. Any thread may call it.
  void stop() noexcept { is_stopped_ = true; }

  /// Bytes of all sources; absent if one is no regular file.
  [[nodiscard]] std::optional<std::uint64_t> num_bytes() const noexcept;

  /// Bytes read since the start.
  [[nodiscard]] std::uint64_t num_bytes_read() const noexcept { return num_bytes_read_; }

  /// `3 files`, `keys.txt` or `standard input`.
  [[nodiscard]] std::string name() const;

 private:
  struct Source {
    std::string name{};
    std::filesystem::path path{};  ///< empty: standard input, or a file without a name
    FileDescriptor file{};
    bool is_regular = false;
    std::int64_t start = 0;
    std::uint64_t num_bytes = 0;  ///< if regular, from the start on
  };

  static Source source_of(const std::filesystem::path& path);
  [[nodiscard]] int open(Source& source);
  bool read_from(Source& source, KeyBatch& batch);
  [[nodiscard]] bool wait_for_input(const Source& source, int fd) const;
  std::size_t read_some(const Source& source, int fd, char* to, std::size_t size);
  std::size_t whole_records(std::string_view text, std::uint64_t& num_records) const;
  void require_whole_integers(const Source& source, std::size_t num_left_over) const;
  void find_column(const Source& source, KeyBatch& batch);

  KeyFormat format_;
  std::vector<Source> sources_;
  std::size_t at_ = 0;  // the source that is read
  // Of that source:
  bool is_at_start_ = true;
  bool is_at_end_ = false;
  std::vector<char> rest_{};  // read, and behind the last whole record
  std::uint64_t next_record_ = 1;
  std::uint64_t column_ = 0;
  bool has_given_names_ = false;

  std::atomic<bool> is_stopped_ = false;
  std::atomic<std::uint64_t> num_bytes_read_ = 0;  // asked for while another thread reads
};

}  // namespace bloometry
