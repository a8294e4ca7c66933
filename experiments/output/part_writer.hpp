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

/// Appends finished units to this process's own part file, for instance parts/000001.jsonl, whose
/// number is one more than the last. The file is created with the first unit, so a run with nothing
/// to do does not leave a file. Thread-safe.
///
/// Each unit is one write of one line. If the process stops, all earlier lines are complete, and a
/// torn line ends a file to which later processes do not append.
class PartWriter {
 public:
  /// Stores the folder, which must exist.
  explicit PartWriter(std::filesystem::path parts) : parts_(std::move(parts)) {}

  /// Appends a unit. The line survives a kill of the process at once, and a power failure after the
  /// next sync.
  /// @throws IoError naming the file. Earlier lines are kept.
  void write(const UnitResult& result);

  /// Syncs the file. @throws IoError
  void sync();

  /// Returns the part written so far; nothing before the first unit.
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
