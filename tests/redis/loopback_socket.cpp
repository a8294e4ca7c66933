#include "tests/redis/loopback_socket.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/error.hpp"

namespace bloometry::test {
namespace {

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

Socket new_socket() {
  Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (socket.fd() < 0) throw IoError("no socket");
  const int yes = 1;
  ::setsockopt(socket.fd(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return socket;
}

}  // namespace

Socket::~Socket() {
  if (fd_ >= 0) ::close(fd_);
}

bool Socket::send(std::string_view bytes) const noexcept {
  while (!bytes.empty()) {
    const ::ssize_t num_sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (num_sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(num_sent));
  }
  return true;
}

std::size_t Socket::receive(std::span<char> buffer) const noexcept {
  const ::ssize_t num_received = ::recv(fd_, buffer.data(), buffer.size(), 0);
  return num_received < 0 ? 0 : static_cast<std::size_t>(num_received);
}

void Socket::shut_down() const noexcept {
  ::shutdown(fd_, SHUT_RDWR);
}

Listener::Listener(int backlog) : socket(new_socket()) {
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (::bind(socket.fd(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::listen(socket.fd(), backlog) != 0 ||
      ::getsockname(socket.fd(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw IoError("cannot listen on loopback");
  }
  port = ntohs(address.sin_port);
}

Socket connect_to(std::uint16_t port) {
  Socket socket = new_socket();
  const sockaddr_in address = loopback(port);
  if (::connect(socket.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    throw IoError("nothing listens on port " + std::to_string(port) + " of loopback");
  }
  return socket;
}

}  // namespace bloometry::test
