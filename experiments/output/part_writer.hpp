#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

#include "experiments/files/file_descriptor.hpp"
#include "experiments/text/content_hash.hpp"
#include "experiments/unit/unit_result.hpp"

namespace bloometry {

/// A part that a PartWriter has written.
struct WrittenPart {
  std::string name;  ///< for example 000001.jsonl
  std::string hash;  ///< content_hash of the bytes that were passed to write(2)
};

/// A writer that appends finished units to a part file of this process, for example
/// parts/000001.jsonl. The number in the file name is one more than the largest existing number.
/// The first unit creates the file, so a run without new units does not create a file. A PartWriter
/// is thread-safe.
///
/// A unit is written as one line by one call of write(2). If the process is killed, all lines
/// before the last one are complete. Later processes do not append to the file, so only the last
/// line of a file can be torn.
class PartWriter {
 public:
  /// Stores the path of the folder `parts`, which must exist.
  explicit PartWriter(std::filesystem::path parts) : parts_(std::move(parts)) {}

  /// Appends a unit. The line survives a kill of the process as soon as write() returns, and a
  /// power failure after the next sync.
  /// @throws IoError naming the file; the earlier lines of the file remain
  void write(const UnitResult& result);

  /// Syncs the part file. @throws IoError
  void sync();

  /// Returns the part written so far, or nullopt before the first unit.
  [[nodiscard]] std::optional<WrittenPart> written();

 private:
  using Clock = std::chrono::steady_clock;

  void open_next();
  void cut_back_to(std::uint64_t size) noexcept;

  std::filesystem::path parts_;
  std::mutex mutex_;
  FileDescriptor file_;
  std::uint64_t size_ = 0;
  ContentHasher hasher_;
  Clock::time_point last_sync_ = Clock::now();
};

}  // namespace bloometry
