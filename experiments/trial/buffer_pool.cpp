#include "experiments/trial/buffer_pool.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/store/system_memory.hpp"

namespace bloometry {
namespace {

/// Returns num_bytes rounded up to a power of two, so that a slightly larger table can use the same
/// buffer. Pages that are never written do not occupy memory. If the power of two exceeds the
/// machine's memory, the function returns num_bytes, because the system would refuse the larger
/// request.
std::size_t roomy(std::size_t num_bytes) {
  const std::uint64_t machine = system_memory::machine_bytes();
  const std::size_t room = std::bit_ceil(num_bytes);
  return machine != 0 && room > machine ? num_bytes : room;
}

}  // namespace

Buffer::Buffer(std::size_t num_bytes)
    : words_((num_bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t)) {}

Buffer::Buffer(Buffer&& other) noexcept
    : words_(std::move(other.words_)), num_used_(std::exchange(other.num_used_, 0)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  words_ = std::move(other.words_);
  num_used_ = std::exchange(other.num_used_, 0);
  return *this;
}

void Buffer::clear(std::size_t num_bytes) noexcept {
  if (num_used_ > 0) std::memset(words_.data(), 0, std::min(num_bytes, num_used_));
  num_used_ = std::max(num_used_, num_bytes);
}

Buffer BufferPool::acquire(std::size_t num_bytes) {
  Buffer buffer = acquire_largest();
  if (buffer.size() < num_bytes) {
    buffer = Buffer();  // frees the smaller buffer before the allocation
    buffer = Buffer(roomy(num_bytes));
  }
  buffer.clear(num_bytes);
  return buffer;
}

void BufferPool::release(Buffer buffer) {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(buffer));
}

Buffer BufferPool::acquire_largest() {
  const std::lock_guard lock(mutex_);
  const auto largest =
      std::max_element(free_.begin(), free_.end(),
                       [](const Buffer& a, const Buffer& b) { return a.size() < b.size(); });
  if (largest == free_.end()) return {};
  Buffer buffer = std::move(*largest);
  free_.erase(largest);
  return buffer;
}

}  // namespace bloometry
