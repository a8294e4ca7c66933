#include "experiments/examples/request_dedup/order_service.hpp"

#include <utility>

#include "core/error.hpp"

namespace bloometry::examples {

OrderService::OrderService(std::unique_ptr<RepeatGuard> guard,
                           std::chrono::microseconds handling_time)
    : guard_(std::move(guard)), handling_time_(handling_time) {
  constexpr std::size_t kNumThreads = 16;  // more than clients, because each keeps its connection
  server_.new_task_queue = [] { return new httplib::ThreadPool(kNumThreads); };
  server_.set_tcp_nodelay(true);
  server_.set_keep_alive_max_count(std::numeric_limits<std::size_t>::max());
  server_.Post("/orders", [this](const httplib::Request& request, httplib::Response& response) {
    answer(request, response);
  });
  port_ = server_.bind_to_any_port("127.0.0.1");
  if (port_ < 0) throw IoError("127.0.0.1: no port is free for the order service");
  thread_ = std::thread([this] { server_.listen_after_bind(); });
  while (!server_.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

OrderService::~OrderService() {
  server_.stop();
  thread_.join();
}

void OrderService::answer(const httplib::Request& request, httplib::Response& response) {
  if (!guard_) return handle(response);
  const std::string key = request.path + '\n' + request.body;  // what makes two requests equal
  switch (guard_->check(key)) {
    case Verdict::kNew:
      return handle(response);
    case Verdict::kRepeated:
      response.status = kRepeatedRequest;
      return response.set_content("this order was sent before\n", "text/plain");
    case Verdict::kUnknown:
      response.set_header(kUnguardedHeader, "1");
      return handle(response);
  }
}

void OrderService::handle(httplib::Response& response) {
  std::this_thread::sleep_for(handling_time_);  // a payment, a shipment or a long computation
  ++num_handled_;
  response.set_content("done\n", "text/plain");
}

}  // namespace bloometry::examples
