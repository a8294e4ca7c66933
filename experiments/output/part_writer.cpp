#include "experiments/output/part_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fmt/core.h>
#include <limits>
#include <string>

#include "core/error.hpp"
#include "experiments/output/part_reader.hpp"
#include "experiments/output/unit_line.hpp"

namespace bloometry {
namespace {

/// Time between two syncs of a part. A sync needs milliseconds on a disk. After a power failure,
/// the resumed run repeats the work since the last sync.
constexpr std::chrono::seconds kTimeBetweenSyncs{1};

std::string part_name(std::uint64_t number) {
  return fmt::format("{:06}.jsonl", number);
}

/// Returns the number in a part's name, or 0 for a name of 20 digits or more. The program never
/// writes a name of 20 digits or more, because the number or its successor might exceed 2^64 - 1.
std::uint64_t number_of(const std::filesystem::path& part) {
  const std::string stem = part.stem().string();
  std::uint64_t number = 0;
  if (stem.size() > std::numeric_limits<std::uint64_t>::digits10) return number;
  std::from_chars(stem.data(), stem.data() + stem.size(), number);
  return number;
}

}  // namespace

void PartWriter::write(const UnitResult& result) {
  const std::string line = to_line(result);
  const std::lock_guard lock(mutex_);
  if (file_.get() < 0) open_next();
  try {
    file_.write(line);
  } catch (const IoError&) {
    cut_back_to(size_);
    throw;
  }
  size_ += line.size();
  hasher_.add(line);
  if (Clock::now() - last_sync_ < kTimeBetweenSyncs) return;
  file_.sync();
  last_sync_ = Clock::now();
}

void PartWriter::sync() {
  const std::lock_guard lock(mutex_);
  if (file_.get() >= 0) file_.sync();
}

std::optional<WrittenPart> PartWriter::written() {
  const std::lock_guard lock(mutex_);
  if (file_.get() < 0) return std::nullopt;
  return WrittenPart{.name = file_.path().filename().string(), .hash = hasher_.text()};
}

/// Creates the next part. The lock of the folder excludes other processes, and O_EXCL is a second
/// safeguard.
void PartWriter::open_next() {
  std::uint64_t last = 0;
  for (const std::filesystem::path& part : list_parts(parts_)) {
    last = std::max(last, number_of(part));
  }
  file_ = FileDescriptor(parts_ / part_name(last + 1), O_WRONLY | O_CREAT | O_EXCL | O_APPEND);
  sync_folder(parts_);
}

/// Removes a torn line from the end of the file. Readers ignore a torn line, but the removal of the
/// line frees space on a full disk.
void PartWriter::cut_back_to(std::uint64_t size) noexcept {
  if (::ftruncate(file_.get(), static_cast<::off_t>(size)) != 0) return;
}

}  // namespace bloometry
