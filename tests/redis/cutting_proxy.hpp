#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include "core/redis/redis_url.hpp"
#include "tests/redis/loopback_socket.hpp"

namespace bloometry::test {

/// A loopback proxy that can cut or delay a server's replies to a client. Commands pass unchanged,
/// so the server also executes commands whose replies the client does not receive.
class CuttingProxy {
 public:
  explicit CuttingProxy(std::uint16_t server_port);
  ~CuttingProxy();
  CuttingProxy(const CuttingProxy&) = delete;
  CuttingProxy& operator=(const CuttingProxy&) = delete;

  [[nodiscard]] RedisUrl url() const { return {.host = "127.0.0.1", .port = listener_.port}; }

  /// Passes num_reply_bytes more bytes of replies, counted over all connections, and closes the
  /// connection before the next byte. The proxy cuts one connection and passes all bytes of later
  /// connections.
  void cut_after(std::uint64_t num_reply_bytes) noexcept { num_left_ = num_reply_bytes; }

  void never_cut() noexcept { num_left_ = kNever; }

  [[nodiscard]] bool will_cut() const noexcept { return num_left_ != kNever; }

  /// Sets a delay before each byte of a reply.
  void set_delay_per_byte(std::chrono::milliseconds delay) noexcept { delay_ = delay; }

  /// Returns the number of bytes of replies that were passed.
  [[nodiscard]] std::uint64_t num_reply_bytes() const noexcept { return num_reply_bytes_; }

 private:
  struct Pair {
    Socket client;
    Socket server;
  };

  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  void run();
  void accept_client();
  /// Passes bytes in one direction, and returns false if the connection must be closed.
  [[nodiscard]] bool pass_commands(const Pair& pair) const;
  [[nodiscard]] bool pass_replies(const Pair& pair);
  [[nodiscard]] bool send_reply(const Socket& client, std::string_view bytes);

  std::uint16_t server_port_;
  Listener listener_{16};
  std::vector<Pair> pairs_;
  std::atomic<std::uint64_t> num_left_ = kNever;
  std::atomic<std::uint64_t> num_reply_bytes_ = 0;
  std::atomic<std::chrono::milliseconds> delay_{std::chrono::milliseconds(0)};
  std::atomic<bool> is_ended_ = false;
  std::thread thread_;
};

}  // namespace bloometry::test
