#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/error.hpp"
#include "tests/redis/shifted_clock.hpp"

namespace bloometry::test {
namespace {

std::filesystem::path shift_file(const ScratchFolder& folder) {
  return folder.path() / "shift_us";
}

}  // namespace

ShiftedClock::ShiftedClock() {
  const int file = ::open(shift_file(folder_).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || ::ftruncate(file, sizeof(std::int64_t)) != 0) {
    throw IoError("cannot create the file of the shifted clock");
  }
  void* const memory =
      ::mmap(nullptr, sizeof(std::int64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (memory == MAP_FAILED) throw IoError("cannot map the file of the shifted clock");
  shift_us_ = static_cast<std::int64_t*>(memory);
}

ShiftedClock::~ShiftedClock() {
  ::munmap(shift_us_, sizeof(std::int64_t));
}

std::vector<std::string> ShiftedClock::launcher() const {
  return {"env", std::string("LD_PRELOAD=") + BLOOMETRY_SHIFTED_CLOCK,
          "BLOOMETRY_CLOCK_SHIFT=" + shift_file(folder_).string()};
}

void ShiftedClock::advance(std::chrono::milliseconds time) {
  *static_cast<volatile std::int64_t*>(shift_us_) = *shift_us_ + 1000 * time.count();
}

std::int64_t ShiftedClock::now_ms() const {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return (std::chrono::duration_cast<std::chrono::microseconds>(now).count() + *shift_us_) / 1000;
}

}  // namespace bloometry::test
