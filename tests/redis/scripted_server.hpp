#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/redis/redis_url.hpp"

namespace bloometry::test {

/// A loopback server that computes its replies with a given function. Tests use ScriptedServer for
/// replies that real servers do not send on demand.
class ScriptedServer {
 public:
  using Command = std::vector<std::string>;  ///< name and arguments

  struct Reply {
    std::string bytes{};             ///< a reply or a part of a reply in Redis's protocol
    bool closes_connection = false;  ///< whether the server closes the connection after the bytes
  };

  /// Listens on a free port until the object is destroyed.
  /// @param script function that returns the reply to a command; called in a separate thread
  explicit ScriptedServer(std::function<Reply(const Command&)> script);
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

  [[nodiscard]] RedisUrl url() const { return {.host = "127.0.0.1", .port = port_}; }

  /// Returns the received commands in order, each as words separated by spaces.
  [[nodiscard]] std::vector<std::string> commands() const;

  /// Returns the number of received commands that start with the string `begin`.
  [[nodiscard]] std::size_t num_commands(std::string_view begin) const;

 private:
  struct Connection {
    int fd;
    std::string bytes;  // received bytes that are not yet a whole command
  };

  void serve();
  void accept_connection();
  /// Reads from a connection, and returns whether the connection stays open.
  bool read_from(Connection& connection);

  std::function<Reply(const Command&)> script_;
  std::vector<Connection> connections_;
  mutable std::mutex mutex_;  // guards commands_
  std::vector<std::string> commands_;
  int listener_ = -1;
  int stop_[2] = {-1, -1};  // a pipe; closing the write end stops the thread
  std::uint16_t port_ = 0;
  std::thread thread_;
};

/// Returns the string as a bulk reply, which is `$5\r\nhello\r\n` for `hello`.
[[nodiscard]] std::string bulk(std::string_view text);

/// Returns the reply to CLUSTER SLOTS if one server has all slots.
/// @param host host name of the server; may be empty
[[nodiscard]] std::string all_slots_at(std::string_view host, std::uint16_t port);

}  // namespace bloometry::test
