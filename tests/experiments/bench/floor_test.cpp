#include "experiments/bench/floor.hpp"

#include <unistd.h>

#include <cstdint>
#include <fstream>

#include "tests/support/catch.hpp"

using namespace bloometry::bench;

namespace {

constexpr std::uint64_t kNumBits = 1 << 20;

/// Returns the resident memory of this process. Pages that were only read are not included.
std::uint64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t num_pages = 0;
  std::uint64_t num_resident = 0;
  statm >> num_pages >> num_resident;
  return num_resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

TEST_CASE("bench floor: single calls have the plain floor, batches the prefetched floor",
          "[bench]") {
  CHECK(floor_of(Op::kInsert, Call::kSingle) == Floor::kUpdate);
  CHECK(floor_of(Op::kInsert, Call::kBatch) == Floor::kUpdatePrefetched);
  CHECK(floor_of(Op::kErase, Call::kBatch) == Floor::kUpdatePrefetched);
  CHECK(floor_of(Op::kMix, Call::kSingle) == Floor::kRead);
  CHECK(floor_of(Op::kNegative, Call::kBatch) == Floor::kReadPrefetched);
}

TEST_CASE("bench floor: plain and prefetched loops touch the same lines", "[bench]") {
  for (const auto& [update, read] : {std::pair(Floor::kUpdate, Floor::kReadPrefetched),
                                     std::pair(Floor::kUpdatePrefetched, Floor::kRead)}) {
    FloorArray array(kNumBits);
    CHECK(array.touch(read, kNumBits, 0, 5'000) == 0);
    // One of the two numbers is below the number of prefetched keys, and the other number is above.
    for (const std::uint64_t number : {10U, 200U}) array.touch(update, kNumBits, number, 1);
    for (std::uint64_t number = 0; number < 300; ++number) {
      const bool was_updated = number == 10 || number == 200;
      if (was_updated) CHECK(array.touch(read, kNumBits, number, 1) != 0);
    }
    CHECK(array.touch(read, kNumBits, 0, 300) != 0);
  }
}

TEST_CASE(
    "bench floor: a filter uses the array's beginning, and one larger than the array all of it",
    "[bench]") {
  FloorArray array(kNumBits);
  array.touch(Floor::kUpdate, 512, 0, 1);  // one line
  CHECK(array.touch(Floor::kRead, 512, 999, 1) != 0);
  array.touch(Floor::kUpdate, 100 * kNumBits, 0, 100'000);
  CHECK(array.touch(Floor::kRead, kNumBits, 0, 1) != 0);
}

TEST_CASE("bench floor: every page of the array is resident before the first read", "[bench]") {
  constexpr std::uint64_t kNumBytes = std::uint64_t{1} << 26U;  // from the system
  const std::uint64_t before = resident_bytes();
  const FloorArray floor(8 * kNumBytes);
  CHECK(resident_bytes() >= before + kNumBytes);
}
