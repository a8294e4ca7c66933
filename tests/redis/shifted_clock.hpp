#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/files/scratch_folder.hpp"

namespace bloometry::test {

/// The shift of the wall clock of a RedisProcess that is started with launcher(). The server needs
/// the library shifted_clock.
class ShiftedClock {
 public:
  ShiftedClock();
  ~ShiftedClock();
  ShiftedClock(const ShiftedClock&) = delete;
  ShiftedClock& operator=(const ShiftedClock&) = delete;

  /// Returns the words that precede the program in its command line.
  [[nodiscard]] std::vector<std::string> launcher() const;

  /// Sets the clock forward, or back if the time is negative.
  void advance(std::chrono::milliseconds time);

  /// Returns the time that the shifted clock shows, in milliseconds since 1970.
  [[nodiscard]] std::int64_t now_ms() const;

  /// Sets the clock to a time in milliseconds since 1970.
  void set_ms(std::int64_t time) { advance(std::chrono::milliseconds(time - now_ms())); }

 private:
  ScratchFolder folder_{"bloometry-clock-"};
  std::int64_t* shift_us_;  // mapped file, which the server also maps
};

}  // namespace bloometry::test
