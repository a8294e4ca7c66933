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
  std::string hash;  ///< content_hash of the bytes as they were written, not as they are read back
};

/// Appends finished units to a part file that is this process's own: parts/000001.jsonl, one more
/// than the last. The file is made with the first unit, so that a run with nothing to do leaves
/// nothing behind. Thread-safe.
///
/// A unit is one write of one line. Whatever stops the process, the lines before are whole, and
/// what is torn is the end of a file that nobody appends to again.
class PartWriter {
 public:
  /// @param parts the folder; it exists.
  explicit PartWriter(std::filesystem::path parts) : parts_(std::move(parts)) {}

  /// Kept from here on if the process is killed; kept from the next sync on if the power fails.
  /// @throws IoError naming the file. What was written before stays.
  void write(const UnitResult& result);

  /// @throws IoError
  void sync();

  /// Returns the part written so far; none if no unit was.
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
