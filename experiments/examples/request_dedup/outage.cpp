#include "experiments/examples/request_dedup/outage.hpp"

#include <signal.h>  // kill

#include <array>
#include <chrono>
#include <fmt/core.h>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <unordered_set>

#include "experiments/examples/markdown_table.hpp"
#include "experiments/examples/request_dedup/clients.hpp"
#include "experiments/examples/request_dedup/shared_filter.hpp"
#include "experiments/servers/redis_process.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::examples {
namespace {

/// Sends the orders of one fifth of the stream after the other and adds one table row each time.
class Fifths {
 public:
  Fifths(const OrderStream& stream, const OrderService& service, Checks& checks)
      : left_(stream.orders), size_(left_.size() / 5), service_(service), checks_(checks) {}

  Answers send(const std::string& redis) {
    const RepeatGuard::Counts before = service_.guard()->counts();
    const std::array services = {&service_};
    Answers answers = send_orders(left_.first(size_), services);
    left_ = left_.subspan(size_);
    const RepeatGuard::Counts after = service_.guard()->counts();
    checks_.require_equal<std::uint64_t>(answers.num_failed, 0,
                                         fmt::format("Redis {}: every request is answered", redis));
    const std::uint64_t num_twice = count_twice(answers);
    using Milliseconds = std::chrono::duration<double, std::milli>;
    const Milliseconds lost = after.time_in_errors - before.time_in_errors;
    table_.add({redis, grouped(size_), grouped(answers.num_handled), grouped(answers.num_repeated),
                grouped(num_twice), grouped(answers.num_unguarded),
                grouped(after.num_errors - before.num_errors), rounded(lost.count(), 3)});
    return answers;
  }

  void print() const { table_.print(); }

 private:
  /// Returns how often an order was handled again.
  std::uint64_t count_twice(const Answers& answers) {
    std::uint64_t num_twice = 0;
    for (const std::uint64_t order : answers.handled_orders) {
      num_twice += handled_.insert(order).second ? 0 : 1;
    }
    return num_twice;
  }

  std::span<const std::uint64_t> left_;
  std::size_t size_;
  const OrderService& service_;
  Checks& checks_;
  std::unordered_set<std::uint64_t> handled_;
  MarkdownTable table_{{"Redis", "requests", "handled", "409 by the guard", "handled again",
                        "without the guard", "calls that failed", "time in them, ms"}};
};

/// Checks that the guard calls no request repeated without an answer from Redis.
void check_fell_through(const Answers& answers, const std::string& redis, Checks& checks) {
  checks.require_equal<std::uint64_t>(answers.num_repeated, 0,
                                      fmt::format("Redis {}: no 409 without an answer", redis));
  checks.require_equal(answers.num_unguarded, answers.num_handled,
                       fmt::format("Redis {}: every request is handled", redis));
}

}  // namespace

void live_through_outage(const OrderStream& stream, const DedupSettings& settings, Checks& checks) {
  RedisProcess redis;
  create_shared_filter(redis.url(), settings, stream.orders.size());
  const std::unique_ptr<OrderService> service = start_guarded_service(redis.url(), settings);
  Fifths fifths(stream, *service, checks);
  const Answers working = fifths.send("works");

  ::kill(redis.pid(), SIGSTOP);
  const Answers hanging = fifths.send("hangs");

  redis.kill();
  const Answers dead = fifths.send("is dead");

  redis.restart();  // the restarted server is empty, because it does not persist data
  std::this_thread::sleep_for(settings.pause());  // time until the guard queries Redis again
  const Answers empty = fifths.send("is back, empty");

  create_shared_filter(redis.url(), settings, stream.orders.size());
  std::this_thread::sleep_for(settings.pause());
  const Answers created = fifths.send("has a new filter");

  fifths.print();
  checks.require(working.num_repeated > 0, "Redis works: the guard recognises repetitions");
  checks.require_equal<std::uint64_t>(working.num_unguarded, 0, "Redis works: the guard answers");
  check_fell_through(hanging, "hangs", checks);
  check_fell_through(dead, "is dead", checks);
  check_fell_through(empty, "is back, empty", checks);
  checks.require(created.num_repeated > 0, "Redis has a new filter: repetitions are recognised");
}

}  // namespace bloometry::examples
