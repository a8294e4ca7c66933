// Defines the function that libFuzzer calls with each input. The macro BLOOMETRY_FUZZ_RUN is the
// name of the target's function.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "tests/fuzz/allocation_limit.hpp"
#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  return std::atexit(bloometry::fuzz::print_allocation_record);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bloometry::fuzz::BLOOMETRY_FUZZ_RUN({reinterpret_cast<const char*>(data), size});
  return 0;
}
