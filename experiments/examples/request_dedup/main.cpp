// A repeated request, as by a second click, must not cost anything again. In this example, a
// rotating filter in Redis recognises the repetitions of all services that share it. README.md
// shows the output of one run.

#include <array>
#include <fmt/core.h>
#include <iostream>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/statistics/binomial_interval.hpp"
#include "experiments/examples/example_program.hpp"
#include "experiments/examples/false_positives.hpp"
#include "experiments/examples/markdown_table.hpp"
#include "experiments/examples/request_dedup/clients.hpp"
#include "experiments/examples/request_dedup/dedup_settings.hpp"
#include "experiments/examples/request_dedup/outage.hpp"
#include "experiments/examples/request_dedup/shared_filter.hpp"
#include "experiments/servers/redis_process.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::examples {
namespace {

/// The number of orders that were handled more than once, and of orders that were not handled.
struct Account {
  std::uint64_t num_again = 0;
  std::uint64_t num_stopped = 0;
};

Account account_of(const Answers& answers, const OrderStream& stream) {
  std::unordered_map<std::uint64_t, std::uint64_t> num_handled;
  for (const std::uint64_t order : answers.handled_orders) ++num_handled[order];
  return {.num_again = answers.num_handled - num_handled.size(),
          .num_stopped = stream.num_distinct - num_handled.size()};
}

/// Checks that a filter, whose rate is at most p at all times, stopped at most the share p. The
/// check is one-sided and rejects a correct filter with a probability of at most kFalseAlarm.
void check_stopped(const FalsePositives& stopped, double p, const std::string& name,
                   Checks& checks) {
  const statistics::Interval interval =
      statistics::clopper_pearson(stopped.num_passed, stopped.num_queries, 2 * kFalseAlarm);
  checks.require(interval.lower <= p, name + ": at most the share p of the orders is stopped",
                 stopped.rate_text());
}

/// Sends all orders to the services and adds a row to the table.
void measure(const std::string& name, const OrderStream& stream,
             const std::vector<std::unique_ptr<OrderService>>& services,
             const DedupSettings& settings, Checks& checks, MarkdownTable& table) {
  std::vector<const OrderService*> all;
  for (const auto& service : services) all.push_back(service.get());
  const Clock::time_point start = Clock::now();
  const Answers answers = send_orders(stream.orders, all);
  const double seconds = seconds_since(start);
  const Account account = account_of(answers, stream);
  const FalsePositives stopped{.num_queries = stream.num_distinct,
                               .num_passed = account.num_stopped};
  checks.require_equal<std::uint64_t>(answers.num_failed, 0, name + ": every request is answered");
  if (all.front()->guard() != nullptr) {
    checks.require_equal<std::uint64_t>(account.num_again, 0, name + ": no order is handled again");
    checks.require_equal<std::uint64_t>(answers.num_unguarded, 0, name + ": the guard answers");
    check_stopped(stopped, settings.rate, name, checks);
  }
  table.add({name, grouped(stream.orders.size()), grouped(answers.num_handled),
             grouped(account.num_again), grouped(account.num_stopped), answers.handled.text(),
             answers.num_repeated == 0 ? "-" : answers.repeated.text(),
             grouped_real(static_cast<double>(stream.orders.size()) / seconds, 3)});
}

void compare(const OrderStream& stream, const DedupSettings& settings, Checks& checks) {
  const RedisProcess redis;
  MarkdownTable table({"services", "requests", "handled", "handled again", "stopped by mistake",
                       "handled: p50 / p99, us", "409: p50 / p99, us", "requests per s"});
  std::vector<std::unique_ptr<OrderService>> services;
  services.push_back(
      std::make_unique<OrderService>(nullptr, std::chrono::microseconds(settings.handling_us)));
  measure("one without a guard", stream, services, settings, checks, table);
  for (const std::size_t num_services : {1U, 2U}) {
    create_shared_filter(redis.url(), settings, stream.orders.size());
    services.clear();
    for (std::size_t i = 0; i < num_services; ++i) {
      services.push_back(start_guarded_service(redis.url(), settings));
    }
    measure(num_services == 1 ? "one with a guard" : "two that share a filter", stream, services,
            settings, checks, table);
    services.clear();
    drop_shared_filter(redis.url());
  }
  table.print();
}

void add_options(CLI::App& app, DedupSettings& settings) {
  app.add_option("--orders", settings.num_orders, "distinct orders")
      ->check(CLI::Range(1'000, 10'000'000));
  app.add_option("--repeated", settings.repeated, "share of the orders that are sent twice")
      ->check(CLI::Range(0.01, 1.0));
  app.add_option("--rate", settings.rate, "false-positive rate that the filter is sized for")
      ->check(CLI::Range(1e-9, 0.5));
  app.add_option("--window-s", settings.window_s, "window of the filter in seconds")
      ->check(CLI::Range(60, 100'000'000));
  app.add_option("--generations", settings.generations, "generations of the filter")
      ->check(CLI::Range(2, 64));
  app.add_option("--handling-us", settings.handling_us, "time that an order costs, microseconds")
      ->check(CLI::Range(0, 10'000'000));
  app.add_option("--timeout-ms", settings.timeout_ms, "how long Redis may take")
      ->check(CLI::Range(1, 60'000));
  app.add_option("--pause-ms", settings.pause_ms, "how long Redis is not queried after an error")
      ->check(CLI::Range(1, 60'000));
  app.add_option("--seed", settings.seed, "seed of the orders and of the filter's hash");
}

void run(const DedupSettings& settings, Checks& checks) {
  const OrderStream stream =
      make_order_stream(settings.num_orders, settings.repeated, settings.seed);
  std::cout << grouped(stream.num_distinct) << " orders, " << grouped(stream.orders.size())
            << " requests.\n"
            << std::flush;
  compare(stream, settings, checks);
  live_through_outage(stream, settings, checks);
}

}  // namespace
}  // namespace bloometry::examples

int main(int argc, char** argv) {
  using namespace bloometry::examples;
  CLI::App app("A rotating filter in Redis that stops repeated requests to HTTP services",
               "request_dedup");
  app.option_defaults()->always_capture_default();
  DedupSettings settings;
  add_options(app, settings);
  return run_example(app, argc, argv, [&](Checks& checks) { run(settings, checks); });
}
