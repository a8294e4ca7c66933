#include "experiments/trial/page_pool.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/store/system_memory.hpp"

namespace bloometry {
namespace {

/// Rounds up to a power of two, so that a slightly larger table later does not need fresh pages:
/// untouched pages do not occupy memory. The result is at most the machine's memory, because a
/// larger request would be refused.
std::size_t roomy(std::size_t num_bytes) {
  const std::uint64_t machine = system_memory::machine_bytes();
  const std::size_t room = std::bit_ceil(num_bytes);
  return machine != 0 && room > machine ? num_bytes : room;
}

}  // namespace

Pages::Pages(std::size_t num_bytes)
    : words_((num_bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t)) {}

Pages::Pages(Pages&& other) noexcept
    : words_(std::move(other.words_)), num_used_(std::exchange(other.num_used_, 0)) {}

Pages& Pages::operator=(Pages&& other) noexcept {
  words_ = std::move(other.words_);
  num_used_ = std::exchange(other.num_used_, 0);
  return *this;
}

void Pages::clear(std::size_t num_bytes) noexcept {
  if (num_used_ > 0) std::memset(words_.data(), 0, std::min(num_bytes, num_used_));
  num_used_ = std::max(num_used_, num_bytes);
}

Pages PagePool::take(std::size_t num_bytes) {
  Pages pages = take_largest();
  if (pages.size() < num_bytes) {
    pages = Pages();  // freed before the larger allocation
    pages = Pages(roomy(num_bytes));
  }
  pages.clear(num_bytes);
  return pages;
}

void PagePool::give_back(Pages pages) {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(pages));
}

Pages PagePool::take_largest() {
  const std::lock_guard lock(mutex_);
  const auto largest =
      std::max_element(free_.begin(), free_.end(),
                       [](const Pages& a, const Pages& b) { return a.size() < b.size(); });
  if (largest == free_.end()) return {};
  Pages pages = std::move(*largest);
  free_.erase(largest);
  return pages;
}

}  // namespace bloometry
