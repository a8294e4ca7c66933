#include "experiments/keys/byte_stream.hpp"

#include <utility>

namespace bloometry {

ByteStream::ByteStream(Read read) : read_(std::move(read)) {}

ByteStream ByteStream::of(std::string_view bytes) {
  return ByteStream([rest = bytes](char* to, std::size_t size) mutable {
    const std::size_t num_read = rest.copy(to, size);
    rest.remove_prefix(num_read);
    return num_read;
  });
}

std::string_view ByteStream::peek(const std::function<bool(std::string_view)>& is_enough) {
  constexpr std::size_t kStep = 4096;
  const auto next = [&] { return std::string_view(ahead_).substr(at_); };
  while (!is_enough(next())) {
    const std::size_t size = ahead_.size();
    ahead_.resize(size + kStep);
    const std::size_t num_read = read_(ahead_.data() + size, kStep);
    ahead_.resize(size + num_read);
    if (num_read == 0) break;
  }
  return next();
}

std::size_t ByteStream::read(char* to, std::size_t size) {
  if (at_ == ahead_.size()) return read_(to, size);
  const std::size_t num_read = ahead_.copy(to, size, at_);
  at_ += num_read;
  return num_read;
}

}  // namespace bloometry
