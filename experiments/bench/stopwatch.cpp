#include "experiments/bench/stopwatch.hpp"

#include <sys/resource.h>

namespace bloometry::bench {

std::int64_t num_preemptions() noexcept {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

}  // namespace bloometry::bench
