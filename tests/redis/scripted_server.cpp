#include "tests/redis/scripted_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/error.hpp"

namespace bloometry::test {
namespace {

/// Parses a length such as `*2\r\n` or `$5\r\n` at index `at`, and advances `at` past the length.
std::optional<std::size_t> take_number(const std::string& bytes, std::size_t& at) {
  const std::size_t end = bytes.find("\r\n", at);
  if (end == std::string::npos) return std::nullopt;
  const std::size_t number = std::stoul(bytes.substr(at + 1, end - at - 1));
  at = end + 2;
  return number;
}

/// Removes and returns the first command in the bytes. Returns nullopt if the command is
/// incomplete.
std::optional<ScriptedServer::Command> take_command(std::string& bytes) {
  std::size_t at = 0;
  const auto num_words = take_number(bytes, at);
  if (!num_words) return std::nullopt;
  ScriptedServer::Command command;
  for (std::size_t i = 0; i < *num_words; ++i) {
    const auto size = take_number(bytes, at);
    if (!size || bytes.size() < at + *size + 2) return std::nullopt;
    command.push_back(bytes.substr(at, *size));
    at += *size + 2;
  }
  bytes.erase(0, at);
  return command;
}

std::string joined(const ScriptedServer::Command& command) {
  std::string line;
  for (const std::string& word : command) line += (line.empty() ? "" : " ") + word;
  return line;
}

}  // namespace

ScriptedServer::ScriptedServer(std::function<Reply(const Command&)> script)
    : script_(std::move(script)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener_, generic, size) != 0 || ::listen(listener_, 16) != 0 ||
      ::getsockname(listener_, generic, &size) != 0 || ::pipe(stop_) != 0) {
    throw IoError("no scripted server on loopback");
  }
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

ScriptedServer::~ScriptedServer() {
  ::close(stop_[1]);
  thread_.join();
  ::close(stop_[0]);
  ::close(listener_);
  for (const Connection& connection : connections_) ::close(connection.fd);
}

std::vector<std::string> ScriptedServer::commands() const {
  const std::lock_guard lock(mutex_);
  return commands_;
}

std::size_t ScriptedServer::num_commands(std::string_view begin) const {
  const auto all = commands();
  return static_cast<std::size_t>(std::count_if(
      all.begin(), all.end(), [&](const std::string& line) { return line.starts_with(begin); }));
}

void ScriptedServer::serve() {
  for (;;) {
    std::vector<pollfd> polled = {{stop_[0], POLLIN, 0}, {listener_, POLLIN, 0}};
    for (const Connection& connection : connections_) polled.push_back({connection.fd, POLLIN, 0});
    if (::poll(polled.data(), polled.size(), -1) < 0) continue;
    if (polled[0].revents != 0) return;
    std::vector<Connection> open;
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      if (polled[i + 2].revents == 0 || read_from(connections_[i])) {
        open.push_back(std::move(connections_[i]));
      } else {
        ::close(connections_[i].fd);
      }
    }
    connections_ = std::move(open);
    if (polled[1].revents != 0) accept_connection();
  }
}

void ScriptedServer::accept_connection() {
  const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (fd >= 0) connections_.push_back({.fd = fd, .bytes = {}});
}

bool ScriptedServer::read_from(Connection& connection) {
  std::array<char, 4096> buffer{};
  const ::ssize_t size = ::recv(connection.fd, buffer.data(), buffer.size(), 0);
  if (size <= 0) return false;
  connection.bytes.append(buffer.data(), static_cast<std::size_t>(size));
  while (const auto command = take_command(connection.bytes)) {
    {
      const std::lock_guard lock(mutex_);
      commands_.push_back(joined(*command));
    }
    const Reply reply = script_(*command);
    ::send(connection.fd, reply.bytes.data(), reply.bytes.size(), MSG_NOSIGNAL);
    if (reply.closes_connection) return false;
  }
  return true;
}

std::string bulk(std::string_view text) {
  return "$" + std::to_string(text.size()) + "\r\n" + std::string(text) + "\r\n";
}

std::string all_slots_at(std::string_view host, std::uint16_t port) {
  return "*1\r\n*3\r\n:0\r\n:16383\r\n*3\r\n" + bulk(host) + ":" + std::to_string(port) + "\r\n" +
         bulk("id");
}

}  // namespace bloometry::test
