#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "experiments/verdict/theory_cache.hpp"

namespace bloometry {

/// The number of threads that share the work on rows, and the progress callback. Neither affects
/// the results.
struct Workers {
  unsigned num_threads = 1;
  /// Called about five times per second by the calling thread while the others work.
  std::function<void(std::size_t num_done, std::size_t num_all)> observe{};
};

/// Calls work(i, cache) once for each point i, on the threads of `workers`. Points are processed in
/// order. Laws with one m are then fast to compute (core/theory/fill_law.hpp), and equal points
/// share a cache. An error stops the work. If there are several errors, that of the first point is
/// rethrown.
/// @param work must be safe to call concurrently for different i.
/// @throws IoError if a thread cannot be started.
void for_each_point(std::span<const TheoryPoint* const> points, const Workers& workers,
                    const std::function<void(std::size_t, TheoryCache&)>& work);

}  // namespace bloometry
