#pragma once

#include <latch>
#include <thread>
#include <vector>

namespace bloometry::test {

/// Runs work(0), ..., work(num_threads - 1) in separate threads that start at the same time.
template <class Work>
void run_together(unsigned num_threads, Work work) {
  std::latch ready(num_threads);
  std::vector<std::jthread> threads;
  for (unsigned t = 0; t < num_threads; ++t) {
    threads.emplace_back([&, t] {
      ready.arrive_and_wait();
      work(t);
    });
  }
  for (std::jthread& thread : threads) thread.join();
}

}  // namespace bloometry::test
