#include "experiments/examples/cache_guard/comparison.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>

#include "core/redis/connect_redis.hpp"
#include "experiments/examples/cache_guard/loaded_filter.hpp"
#include "experiments/examples/cache_guard/service.hpp"
#include "experiments/examples/markdown_table.hpp"
#include "experiments/servers/redis_process.hpp"
#include "experiments/text/number_text.hpp"
#include "variants/blocked/blocked_theory.hpp"
#include "variants/standard/standard_theory.hpp"

namespace bloometry::examples {
namespace {

/// Serves the log with every service. In each round, every service processes the next 1,000
/// requests. The first service changes from round to round.
void serve_by_turns(std::span<Service* const> services, const RequestLog& log) {
  constexpr std::size_t kTurn = 1000;
  std::span<const std::uint64_t> left = log.requests;
  for (std::size_t first = 0; !left.empty(); ++first) {
    const auto requests = left.first(std::min(kTurn, left.size()));
    for (std::size_t i = 0; i < services.size(); ++i) {
      services[(first + i) % services.size()]->serve(requests);
    }
    left = left.subspan(requests.size());
  }
}

void print_services(std::span<Service* const> services) {
  MarkdownTable table(
      {"guard", "database lookups", "avoided", "hit: p50 / p99, us", "miss: p50 / p99, us"});
  for (const Service* service : services) {
    const Outcome& outcome = service->outcome();
    const double avoided =
        static_cast<double>(outcome.num_guarded) / static_cast<double>(outcome.num_requests);
    table.add({service->name(), grouped(outcome.num_lookups), percent(avoided), outcome.hits.text(),
               outcome.misses.text()});
  }
  table.print();
}

void check_lookups(std::span<Service* const> services, std::uint64_t num_counted_by_server,
                   Checks& checks) {
  std::uint64_t num_lookups = 0;
  for (const Service* service : services) {
    service->outcome().check(service->name(), checks);
    num_lookups += service->outcome().num_lookups;
  }
  checks.require_equal(num_counted_by_server, num_lookups, "PostgreSQL counted the same lookups");
}

void compare_rates(std::span<const LoadedFilter> filters, std::span<const Service* const> services,
                   std::uint64_t num_urls, Checks& checks) {
  MarkdownTable table({"filter", "bits per URL", "missing URLs queried", "passed",
                       "rate (95 % interval)", "expected given its bits", "expected before",
                       "p-value"});
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const FalsePositives counts = services[i]->outcome().false_positives();
    table.add({filters[i].name,
               rounded(static_cast<double>(filters[i].num_bits) / static_cast<double>(num_urls), 4),
               grouped(counts.num_queries), grouped(counts.num_passed), counts.rate_text(),
               percent(filters[i].expected.given_bits), percent(filters[i].expected.exact),
               rounded(counts.p_value(filters[i].expected), 2)});
  }
  table.print();
  for (std::size_t i = 0; i < filters.size(); ++i) {
    services[i]->outcome().false_positives().check(filters[i].expected, filters[i].name, checks);
  }
}

}  // namespace

void compare_services(const RequestLog& log, UrlTable& table, const GuardSettings& settings,
                      Checks& checks) {
  const RedisProcess redis;
  const auto client = connect_redis(redis.url(), settings.timeouts(), GuardSettings::retry());
  const std::array filters = {load_filter<StandardFilter>(*client, log, settings.rate),
                              load_filter<BlockedFilter>(*client, log, settings.rate)};
  const auto guard = [&](const LoadedFilter& filter) {
    return std::make_unique<UrlGuard>(
        client,
        UrlGuard::Settings{.filter = filter.name, .seed = kSeed, .pause = settings.pause()});
  };
  constexpr std::size_t kBatch = 100;
  Service plain("none", log, table, nullptr);
  Service standard("standard filter", log, table, guard(filters[0]));
  Service standard_batches("standard, 100 at a time", log, table, guard(filters[0]), kBatch);
  Service blocked("blocked filter", log, table, guard(filters[1]));
  Service blocked_batches("blocked, 100 at a time", log, table, guard(filters[1]), kBatch);
  const std::array<Service*, 5> services = {&plain, &standard, &standard_batches, &blocked,
                                            &blocked_batches};

  const std::uint64_t num_lookups_before = table.num_lookups();
  serve_by_turns(services, log);
  print_services(services);
  check_lookups(services, table.num_lookups() - num_lookups_before, checks);
  compare_rates(filters, std::array<const Service*, 2>{&standard, &blocked}, log.num_urls, checks);
}

}  // namespace bloometry::examples
