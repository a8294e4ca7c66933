#include "experiments/servers/free_port.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <random>

#include "core/error.hpp"

namespace bloometry {

std::uint16_t free_port() {
  // The range is below the ports of outgoing connections (32768 and up), because an outgoing
  // connection could otherwise occupy a port while its server restarts. A cluster server also
  // listens on a port that is 10000 higher, and that port must also be below 32768.
  static std::mt19937 random{std::random_device{}()};
  std::uniform_int_distribution<int> ports(12000, 22000);
  for (int i = 0; i < 1000; ++i) {
    const auto port = static_cast<std::uint16_t>(ports(random));
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    const bool is_free =
        fd >= 0 && ::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    if (fd >= 0) ::close(fd);
    if (is_free) return port;
  }
  throw IoError("cannot find a free port on loopback");
}

}  // namespace bloometry
