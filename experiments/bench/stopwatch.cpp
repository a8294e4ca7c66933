#include "experiments/bench/stopwatch.hpp"

#include <sys/resource.h>

namespace bloometry::bench {

namespace {

rusage usage_of_thread() noexcept {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage;
}

}  // namespace

std::int64_t num_preemptions() noexcept {
  return usage_of_thread().ru_nivcsw;
}

std::int64_t num_switches() noexcept {
  const rusage usage = usage_of_thread();
  return usage.ru_nivcsw + usage.ru_nvcsw;
}

}  // namespace bloometry::bench
