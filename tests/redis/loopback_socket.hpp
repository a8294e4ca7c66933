#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace bloometry::test {

/// A TCP socket on loopback. The destructor closes the socket.
class Socket {
 public:
  explicit Socket(int fd = -1) noexcept : fd_(fd) {}

  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

  Socket& operator=(Socket&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

  ~Socket();

  [[nodiscard]] int fd() const noexcept { return fd_; }

  /// Sends all bytes. Returns false if the peer has closed the connection.
  [[nodiscard]] bool send(std::string_view bytes) const noexcept;

  /// Returns the number of bytes received, or 0 if the peer has closed the connection.
  [[nodiscard]] std::size_t receive(std::span<char> buffer) const noexcept;

  /// Ends blocked operations of other threads on this socket.
  void shut_down() const noexcept;

 private:
  int fd_;
};

/// A TCP socket that listens on a free port of 127.0.0.1.
/// @throws IoError
struct Listener {
  explicit Listener(int backlog);

  Socket socket;
  std::uint16_t port = 0;
};

/// Connects to a port of loopback.
/// @throws IoError
[[nodiscard]] Socket connect_to(std::uint16_t port);

}  // namespace bloometry::test
