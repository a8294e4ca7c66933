#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "core/redis/redis_url.hpp"
#include "tests/redis/loopback_socket.hpp"

namespace bloometry::test {

/// A loopback server that sends bytes provided by the test. The sent bytes do not depend on the
/// received commands. The server serves one connection at a time.
class TalkingServer {
 public:
  /// Starts the server.
  /// @param talk function that is called with each connection; the server closes the connection
  /// after the client closes it
  explicit TalkingServer(std::function<void(const Socket&)> talk);
  ~TalkingServer();
  TalkingServer(const TalkingServer&) = delete;
  TalkingServer& operator=(const TalkingServer&) = delete;

  [[nodiscard]] RedisUrl url() const { return {.host = "127.0.0.1", .port = listener_.port}; }

 private:
  void run();

  std::function<void(const Socket&)> talk_;
  Listener listener_{16};
  std::atomic<bool> is_ended_ = false;
  std::mutex mutex_;
  Socket connection_;
  std::thread thread_;
};

/// Returns a function that receives the first bytes of a command and then sends the reply.
[[nodiscard]] std::function<void(const Socket&)> replying(std::string reply);

/// Returns a function that does the same as replying(), and then sends `repeated` until the client
/// closes the connection.
[[nodiscard]] std::function<void(const Socket&)> replying_forever(std::string reply,
                                                                  std::string repeated);

}  // namespace bloometry::test
