#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "experiments/verdict/theory_cache.hpp"

namespace bloometry {

/// The number of threads that share the work on rows, and the progress callback. The results do not
/// depend on the workers.
struct Workers {
  unsigned num_threads = 1;
  /// Callback that the calling thread calls about five times per second during the work.
  std::function<void(std::size_t num_done, std::size_t num_all)> observe{};
};

/// Calls work(i, cache) once for each point i, on the threads of `workers`. The points are
/// processed in the order of operator<, in which laws with the same m are fast to compute
/// (core/theory/fill_law.hpp). Equal points share a cache. An error stops the work. If several
/// errors occur, for_each_point() rethrows the error of the first point.
/// @param work function that several threads may call concurrently for different i
/// @throws IoError if a thread cannot be started
void for_each_point(std::span<const TheoryPoint* const> points, const Workers& workers,
                    const std::function<void(std::size_t, TheoryCache&)>& work);

}  // namespace bloometry
