#include "tests/redis/cutting_proxy.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>

#include "core/error.hpp"

namespace bloometry::test {

CuttingProxy::CuttingProxy(std::uint16_t server_port)
    : server_port_(server_port), thread_([this] { run(); }) {}

CuttingProxy::~CuttingProxy() {
  is_ended_ = true;
  listener_.socket.shut_down();
  thread_.join();
}

void CuttingProxy::run() {
  while (!is_ended_) {
    std::vector<pollfd> fds = {{.fd = listener_.socket.fd(), .events = POLLIN, .revents = 0}};
    for (const Pair& pair : pairs_) {
      fds.push_back({.fd = pair.client.fd(), .events = POLLIN, .revents = 0});
      fds.push_back({.fd = pair.server.fd(), .events = POLLIN, .revents = 0});
    }
    // On Linux, poll returns when the listener is shut down. The time limit is for other systems.
    if (::poll(fds.data(), fds.size(), 200) <= 0) continue;
    std::vector<Pair> kept;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const bool is_open = (fds[1 + 2 * i].revents == 0 || pass_commands(pairs_[i])) &&
                           (fds[2 + 2 * i].revents == 0 || pass_replies(pairs_[i]));
      if (is_open) kept.push_back(std::move(pairs_[i]));
    }
    pairs_ = std::move(kept);
    if (!is_ended_ && fds[0].revents != 0) accept_client();
  }
}

void CuttingProxy::accept_client() {
  Socket client(::accept4(listener_.socket.fd(), nullptr, nullptr, SOCK_CLOEXEC));
  if (client.fd() < 0) return;
  try {
    pairs_.push_back({.client = std::move(client), .server = connect_to(server_port_)});
  } catch (const IoError&) {
    // The server is down. The destructor closes the client's connection.
  }
}

bool CuttingProxy::pass_commands(const Pair& pair) const {
  std::array<char, 65536> buffer{};
  const std::size_t size = pair.client.receive(buffer);
  return size > 0 && pair.server.send({buffer.data(), size});
}

bool CuttingProxy::pass_replies(const Pair& pair) {
  std::array<char, 65536> buffer{};
  const std::size_t size = pair.server.receive(buffer);
  if (size == 0) return false;
  const std::uint64_t num_left = num_left_;
  if (num_left == kNever) return send_reply(pair.client, {buffer.data(), size});
  const std::size_t num_passed = std::min<std::uint64_t>(size, num_left);
  const bool is_cut = num_passed < size;
  num_left_ = is_cut ? kNever : num_left - num_passed;
  return send_reply(pair.client, {buffer.data(), num_passed}) && !is_cut;
}

bool CuttingProxy::send_reply(const Socket& client, std::string_view bytes) {
  num_reply_bytes_ += bytes.size();
  const auto delay = delay_.load();
  if (delay.count() == 0) return client.send(bytes);
  for (const char byte : bytes) {
    std::this_thread::sleep_for(delay);
    if (is_ended_ || !client.send({&byte, 1})) return false;
  }
  return true;
}

}  // namespace bloometry::test
