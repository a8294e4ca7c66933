// A library that shifts the wall clock of the program into which LD_PRELOAD loads it. The file in
// the variable BLOOMETRY_CLOCK_SHIFT contains the shift, a 64-bit number of microseconds that a
// test may change at any time. Monotonic clocks are not shifted.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace {

const volatile std::int64_t* mapped_shift() {
  const char* const path = std::getenv("BLOOMETRY_CLOCK_SHIFT");
  if (path == nullptr) return nullptr;
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return nullptr;
  void* const memory = ::mmap(nullptr, sizeof(std::int64_t), PROT_READ, MAP_SHARED, file, 0);
  ::close(file);
  return memory == MAP_FAILED ? nullptr : static_cast<const volatile std::int64_t*>(memory);
}

std::int64_t shift_us() {
  static const volatile std::int64_t* const shift = mapped_shift();
  return shift == nullptr ? 0 : *shift;
}

/// Returns the shifted wall clock in microseconds since 1970.
std::int64_t now_us() {
  timespec time{};
  ::syscall(SYS_clock_gettime, CLOCK_REALTIME, &time);
  return time.tv_sec * std::int64_t{1'000'000} + time.tv_nsec / 1000 + shift_us();
}

}  // namespace

extern "C" {

int gettimeofday(timeval* time, void* /*zone*/) noexcept {
  const std::int64_t now = now_us();
  time->tv_sec = now / 1'000'000;
  time->tv_usec = now % 1'000'000;
  return 0;
}

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) {
    return static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
  }
  const std::int64_t now = now_us();
  time->tv_sec = now / 1'000'000;
  time->tv_nsec = now % 1'000'000 * 1000;
  return 0;
}

time_t time(time_t* seconds) noexcept {
  const time_t now = now_us() / 1'000'000;
  if (seconds != nullptr) *seconds = now;
  return now;
}

}  // extern "C"
