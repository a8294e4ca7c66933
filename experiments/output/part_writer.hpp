#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

#include "experiments/files/file_descriptor.hpp"
#include "experiments/rows/unit_result.hpp"
#include "experiments/text/content_hash.hpp"

namespace bloometry {

/// A part that a PartWriter has written.
struct WrittenPart {
  std::string name;  ///< 000001.jsonl
  std::string hash;  ///< content_hash of the bytes passed to write(2)
};

/// Appends finished units to a part file of this process, for instance parts/000001.jsonl. The
/// number of the file is one more than that of the last part. The file is created with the first
/// unit, so a run without new units does not create a file. Thread-safe.
///
/// Each unit is one line, written by one call. If the process is killed, all earlier lines are
/// complete. Later processes do not append to this file, so a torn line can only be its last one.
class PartWriter {
 public:
  /// Stores the path of the folder, which must exist.
  explicit PartWriter(std::filesystem::path parts) : parts_(std::move(parts)) {}

  /// Appends a unit. The line survives a kill of the process as soon as write() returns, and a
  /// power failure after the next sync.
  /// @throws IoError naming the file. Earlier lines are kept.
  void write(const UnitResult& result);

  /// Syncs the file. @throws IoError
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
