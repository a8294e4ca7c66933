#include "experiments/examples/cache_guard/outage.hpp"

#include <signal.h>  // kill

#include <fmt/core.h>
#include <memory>
#include <span>
#include <string>
#include <thread>

#include "core/redis/connect_redis.hpp"
#include "experiments/examples/cache_guard/loaded_filter.hpp"
#include "experiments/examples/cache_guard/service.hpp"
#include "experiments/examples/markdown_table.hpp"
#include "experiments/servers/redis_process.hpp"
#include "experiments/text/number_text.hpp"
#include "variants/standard/standard_theory.hpp"

namespace bloometry::examples {
namespace {

/// Serves the requests of each quarter of the log and adds one table row per quarter.
class Quarters {
 public:
  Quarters(Service& service, const RequestLog& log, Checks& checks)
      : service_(service), left_(log.requests), size_(left_.size() / 4), checks_(checks) {}

  Outcome serve(const std::string& redis) {
    const UrlGuard::Counts before = service_.guard()->counts();
    service_.serve(left_.first(size_));
    left_ = left_.subspan(size_);
    const UrlGuard::Counts& after = service_.guard()->counts();
    Outcome outcome = service_.take_outcome();
    outcome.check("Redis " + redis, checks_);
    using Milliseconds = std::chrono::duration<double, std::milli>;
    const Milliseconds lost = after.time_in_errors - before.time_in_errors;
    table_.add({redis, grouped(outcome.num_requests), grouped(outcome.num_lookups),
                grouped(outcome.num_guarded), grouped(outcome.num_unknown),
                grouped(after.num_errors - before.num_errors), rounded(lost.count(), 3)});
    return outcome;
  }

  void print() const { table_.print(); }

 private:
  Service& service_;
  std::span<const std::uint64_t> left_;
  std::size_t size_;
  Checks& checks_;
  MarkdownTable table_{{"Redis", "requests", "database lookups", "404 by the guard", "fell through",
                        "calls that failed", "time in them, ms"}};
};

/// Checks that the guard does not report a URL as absent without an answer from Redis.
void check_fell_through(const Outcome& outcome, const std::string& redis, Checks& checks) {
  checks.require_equal(outcome.num_unknown, outcome.num_requests,
                       fmt::format("Redis {}: every request fell through", redis));
  checks.require_equal<std::uint64_t>(outcome.num_guarded, 0,
                                      fmt::format("Redis {}: no 404 without a lookup", redis));
}

}  // namespace

void live_through_outage(const RequestLog& log, UrlTable& table, const GuardSettings& settings,
                         Checks& checks) {
  RedisProcess redis;
  const auto client = connect_redis(redis.url(), settings.timeouts(), GuardSettings::retry());
  const LoadedFilter filter = load_filter<StandardFilter>(*client, log, settings.rate);
  Service service(
      "guard", log, table,
      std::make_unique<UrlGuard>(
          client,
          UrlGuard::Settings{.filter = filter.name, .seed = kSeed, .pause = settings.pause()}));
  Quarters quarters(service, log, checks);
  const Outcome working = quarters.serve("works");

  ::kill(redis.pid(), SIGSTOP);
  const Outcome hanging = quarters.serve("hangs");

  redis.kill();
  const Outcome dead = quarters.serve("is dead");

  redis.restart();  // the restarted server is empty, because it does not persist data
  static_cast<void>(load_filter<StandardFilter>(*client, log, settings.rate));
  std::this_thread::sleep_for(settings.pause());  // time until the guard queries Redis again
  const Outcome back = quarters.serve("is back");

  quarters.print();
  checks.require(working.num_guarded > 0, "Redis works: the guard answers");
  check_fell_through(hanging, "hangs", checks);
  check_fell_through(dead, "is dead", checks);
  checks.require(back.num_guarded > 0, "Redis is back: the guard answers again");
}

}  // namespace bloometry::examples
