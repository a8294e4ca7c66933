#include "tests/redis/talking_server.hpp"

#include <sys/socket.h>

#include <array>

namespace bloometry::test {

TalkingServer::TalkingServer(std::function<void(const Socket&)> talk)
    : talk_(std::move(talk)), thread_([this] { run(); }) {}

TalkingServer::~TalkingServer() {
  {
    const std::lock_guard lock(mutex_);
    is_ended_ = true;
    connection_.shut_down();
  }
  listener_.socket.shut_down();
  thread_.join();
}

void TalkingServer::run() {
  for (;;) {
    Socket accepted(::accept4(listener_.socket.fd(), nullptr, nullptr, SOCK_CLOEXEC));
    {
      const std::lock_guard lock(mutex_);
      if (is_ended_) return;
      connection_ = std::move(accepted);
    }
    if (connection_.fd() < 0) continue;
    talk_(connection_);
    std::array<char, 65536> buffer{};
    while (connection_.receive(buffer) > 0) {
    }
    // If the client has not closed the connection, the shutdown ends the client's reads.
    connection_.shut_down();
  }
}

std::function<void(const Socket&)> replying(std::string reply) {
  return [reply = std::move(reply)](const Socket& client) {
    std::array<char, 65536> buffer{};
    if (client.receive(buffer) > 0) static_cast<void>(client.send(reply));
  };
}

std::function<void(const Socket&)> replying_forever(std::string reply, std::string repeated) {
  return [reply = std::move(reply), repeated = std::move(repeated)](const Socket& client) {
    std::array<char, 65536> buffer{};
    if (client.receive(buffer) == 0 || !client.send(reply)) return;
    while (client.send(repeated)) {
    }
  };
}

}  // namespace bloometry::test
