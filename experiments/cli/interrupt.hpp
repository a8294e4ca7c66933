#pragma once

#include <atomic>

namespace bloometry {

/// Set by the first SIGINT or SIGTERM while a watch is on. The second one kills, as without us.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  [[nodiscard]] static const std::atomic<bool>& flag() noexcept;
};

}  // namespace bloometry
