#include "experiments/trial/page_pool.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <utility>

namespace bloometry {

Pages::Pages(std::size_t num_bytes) : size_(std::max<std::size_t>(num_bytes, 1)) {
  data_ = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data_ == MAP_FAILED) throw std::bad_alloc();
  // Advice only: without huge pages everything works, more slowly.
  static_cast<void>(::madvise(data_, size_, MADV_HUGEPAGE));
}

Pages::Pages(Pages&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      num_used_(std::exchange(other.num_used_, 0)) {}

Pages& Pages::operator=(Pages&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(num_used_, other.num_used_);
  return *this;
}

Pages::~Pages() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

void Pages::clear(std::size_t num_bytes) noexcept {
  if (num_used_ > 0) std::memset(data_, 0, std::min(num_bytes, num_used_));
  num_used_ = std::max(num_used_, num_bytes);
}

Pages PagePool::take(std::size_t num_bytes) {
  Pages pages = take_largest();
  if (pages.size() < num_bytes) {
    pages = Pages();  // before the larger one is asked for
    // A power of two: a little larger table later does not cost fresh pages again.
    pages = Pages(std::bit_ceil(num_bytes));
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
