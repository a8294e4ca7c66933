#include "experiments/examples/request_dedup/clients.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "experiments/examples/request_dedup/order_stream.hpp"

namespace bloometry::examples {
namespace {

constexpr std::size_t kNumClients = 8;

/// A client that keeps one connection to each service.
class Client {
 public:
  explicit Client(std::span<const OrderService* const> services) {
    for (const OrderService* service : services) {
      connections_.push_back(std::make_unique<httplib::Client>("127.0.0.1", service->port()));
      connections_.back()->set_keep_alive(true);
      connections_.back()->set_tcp_nodelay(true);
    }
  }

  void send(std::uint64_t order, std::size_t number) {
    httplib::Client& connection = *connections_[number % connections_.size()];
    const Clock::time_point start = Clock::now();
    const httplib::Result result = connection.Post("/orders", body_of(order), "application/json");
    const Clock::duration time = Clock::now() - start;
    if (!result) {
      ++answers_.num_failed;
    } else if (result->status == kHandled) {
      ++answers_.num_handled;
      if (result->has_header(kUnguardedHeader)) ++answers_.num_unguarded;
      answers_.handled.add(time);
      answers_.handled_orders.push_back(order);
    } else if (result->status == kRepeatedRequest) {
      ++answers_.num_repeated;
      answers_.repeated.add(time);
    } else {
      ++answers_.num_failed;
    }
  }

  [[nodiscard]] Answers& answers() noexcept { return answers_; }

 private:
  std::vector<std::unique_ptr<httplib::Client>> connections_;
  Answers answers_;
};

void add(Answers& all, const Answers& some) {
  all.num_handled += some.num_handled;
  all.num_repeated += some.num_repeated;
  all.num_unguarded += some.num_unguarded;
  all.num_failed += some.num_failed;
  all.handled.add(some.handled);
  all.repeated.add(some.repeated);
  all.handled_orders.insert(all.handled_orders.end(), some.handled_orders.begin(),
                            some.handled_orders.end());
}

}  // namespace

Answers send_orders(std::span<const std::uint64_t> orders,
                    std::span<const OrderService* const> services) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  Answers all;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kNumClients; ++i) {
    threads.emplace_back([&] {
      Client client(services);
      for (std::size_t number = next++; number < orders.size(); number = next++) {
        client.send(orders[number], number);
      }
      const std::lock_guard lock(mutex);
      add(all, client.answers());
    });
  }
  for (std::thread& thread : threads) thread.join();
  return all;
}

}  // namespace bloometry::examples
