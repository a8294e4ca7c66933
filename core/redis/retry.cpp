#include "core/redis/retry.hpp"

#include <algorithm>
#include <random>
#include <thread>

namespace bloometry {

bool Attempts::wait_for_next() {
  if (num_made_ >= policy_.max_attempts) return false;
  const auto longest =
      std::min(policy_.first_delay * (1 << std::min(num_made_ - 1, 20U)), policy_.max_delay);
  thread_local std::minstd_rand generator{std::random_device{}()};
  std::uniform_int_distribution<std::chrono::milliseconds::rep> delay(longest.count() / 2,
                                                                      longest.count());
  std::this_thread::sleep_for(std::chrono::milliseconds(delay(generator)));
  ++num_made_;
  return true;
}

}  // namespace bloometry
