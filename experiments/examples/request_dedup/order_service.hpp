#pragma once

#include <httplib.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "experiments/examples/request_dedup/repeat_guard.hpp"

namespace bloometry::examples {

/// Status codes of the answers.
inline constexpr int kHandled = 200;
inline constexpr int kRepeatedRequest = 409;  // Conflict

/// Header of an answer that was given without the guard.
inline constexpr const char* kUnguardedHeader = "X-Unguarded";

/// An HTTP service on 127.0.0.1 that takes orders with `POST /orders`. An order costs time, so the
/// service answers a repeated request with 409 instead of handling it again. If the guard does not
/// know whether a request is a repetition, the service handles it.
class OrderService {
 public:
  /// Starts the service on a free port.
  /// @param guard the guard, or null for a service that handles every request
  /// @throws IoError if no port is free
  OrderService(std::unique_ptr<RepeatGuard> guard, std::chrono::microseconds handling_time);

  OrderService(const OrderService&) = delete;
  OrderService& operator=(const OrderService&) = delete;

  /// Stops the service.
  ~OrderService();

  [[nodiscard]] int port() const noexcept { return port_; }

  [[nodiscard]] std::uint64_t num_handled() const noexcept { return num_handled_; }

  [[nodiscard]] const RepeatGuard* guard() const noexcept { return guard_.get(); }

 private:
  void answer(const httplib::Request& request, httplib::Response& response);
  void handle(httplib::Response& response);

  std::unique_ptr<RepeatGuard> guard_;
  std::chrono::microseconds handling_time_;
  std::atomic<std::uint64_t> num_handled_{0};
  httplib::Server server_;
  int port_ = 0;
  std::thread thread_;
};

}  // namespace bloometry::examples
