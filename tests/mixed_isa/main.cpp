// A program whose sources are compiled for different instruction sets. The exit status is 0 if the
// functions of all sources return the results of the portable source, and 1 otherwise. The exit
// status is 77 if the processor can run only the portable source.

#include <algorithm>
#include <iostream>

#include "core/isa/isa.hpp"
#include "tests/mixed_isa/unit.hpp"

namespace bloometry::mixed {
namespace {

bool can_run(Isa isa) {
  const auto supported = supported_isas();
  return std::ranges::find(supported, isa) != supported.end();
}

int run() {
  if (!can_run(Isa::kAvx2)) {
    std::cout << "SKIPPED: the processor does not have AVX2\n";
    return 77;
  }
  const Results expected = portable_results();
  if (avx2_results() != expected) {
    std::cout << "the source compiled for AVX2 computes other results\n";
    return 1;
  }
  if (!can_run(Isa::kAvx512)) {
    std::cout << "AVX2: " << expected.size() << " equal results; AVX-512 was not run, because the "
              << "processor does not have it\n";
    return 0;
  }
  if (avx512_results() != expected) {
    std::cout << "the source compiled for AVX-512 computes other results\n";
    return 1;
  }
  std::cout << "AVX2 and AVX-512: " << expected.size() << " equal results\n";
  return 0;
}

}  // namespace
}  // namespace bloometry::mixed

int main() {
  return bloometry::mixed::run();
}
