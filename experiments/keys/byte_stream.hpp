#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace bloometry {

/// A sequence of bytes that is read once, from its beginning to its end.
class ByteStream {
 public:
  /// Reads at most `size` bytes and returns their number, which is 0 only at the end.
  using Read = std::function<std::size_t(char* to, std::size_t size)>;

  explicit ByteStream(Read read);

  /// Returns a stream of the bytes of a string, which must outlive the stream.
  static ByteStream of(std::string_view bytes);

  /// Returns the next bytes, without removing them from the stream. Reads until `is_enough(bytes)`
  /// is true or the stream ends.
  std::string_view peek(const std::function<bool(std::string_view)>& is_enough);

  /// Removes bytes that peek() has returned.
  void skip(std::size_t num_bytes) noexcept { at_ += num_bytes; }

  /// Reads at most `size` bytes, which must be positive. Returns their number, which is 0 only at
  /// the end. Does not wait for `size` bytes of a pipe.
  std::size_t read(char* to, std::size_t size);

 private:
  Read read_;
  std::string ahead_;  // bytes that peek() has read; those from at_ on are still in the stream
  std::size_t at_ = 0;
};

}  // namespace bloometry
