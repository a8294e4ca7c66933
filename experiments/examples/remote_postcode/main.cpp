// Deliveries to remote postcodes cost a surcharge. One team publishes the remote postcodes as a
// filter in Redis, and another service queries the filter. README.md shows the output of one run.

#include <array>
#include <functional>
#include <iostream>
#include <vector>

#include "core/redis/connect_redis.hpp"
#include "experiments/examples/example_program.hpp"
#include "experiments/examples/latencies.hpp"
#include "experiments/examples/markdown_table.hpp"
#include "experiments/examples/remote_postcode/postcodes.hpp"
#include "experiments/examples/remote_postcode/publisher.hpp"
#include "experiments/examples/remote_postcode/shop.hpp"
#include "experiments/servers/redis_process.hpp"
#include "experiments/text/number_text.hpp"
#include "variants/blocked/blocked_filter.hpp"
#include "variants/redis/redis_keys.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry::examples {
namespace {

struct Settings {
  std::uint64_t num_remote = 200'000;
  std::uint64_t num_queries = 200'000;  ///< number of other postcodes that are queried
  double rate = 0.01;
};

constexpr const char* kSet = "remote-set";
using QueryAll = std::function<std::vector<bool>(std::span<const KeyView>)>;

/// Queries the postcodes with numbers first .. first+num-1 in batches. Returns the number of
/// present postcodes.
std::uint64_t count_present(const QueryAll& query, std::uint64_t first, std::uint64_t num,
                            std::size_t batch_size) {
  std::uint64_t num_present = 0;
  for (std::uint64_t done = 0; done < num; done += batch_size) {
    std::vector<std::string> postcodes;
    for (std::uint64_t i = done; i < std::min(num, done + batch_size); ++i) {
      postcodes.push_back(postcode_number(first + i));
    }
    const std::vector<KeyView> keys(postcodes.begin(), postcodes.end());
    for (const bool is_present : query(keys)) num_present += is_present ? 1 : 0;
  }
  return num_present;
}

void show_rates(RedisClient& client, const std::shared_ptr<RedisClient>& shared,
                std::span<const Published> filters, const Settings& settings, Checks& checks) {
  MarkdownTable table({"in Redis", "bytes", "remote ones present", "others present",
                       "rate (95 % interval)", "expected given its bits", "expected before"});
  for (const Published& published : filters) {
    Shop shop(shared, published.filter, {});
    const QueryAll query = [&](std::span<const KeyView> keys) { return shop.are_remote(keys); };
    const std::uint64_t num_members = count_present(query, 0, settings.num_remote, 1000);
    checks.require_equal(num_members, settings.num_remote,
                         published.filter + ": every remote postcode is present");
    const FalsePositives others{settings.num_queries, count_present(query, settings.num_remote,
                                                                    settings.num_queries, 1000)};
    others.check(published.expected, published.filter, checks);
    const std::uint64_t bytes = memory_usage(client, published.filter) +
                                memory_usage(client, parameters_key(published.filter));
    table.add({published.filter, grouped(bytes), grouped(num_members), grouped(others.num_passed),
               others.rate_text(), percent(published.expected.given_bits),
               percent(published.expected.exact)});
  }
  const QueryAll query = [&](std::span<const KeyView> keys) {
    return are_in_set(client, kSet, keys);
  };
  const std::uint64_t num_members = count_present(query, 0, settings.num_remote, 1000);
  const std::uint64_t num_others =
      count_present(query, settings.num_remote, settings.num_queries, 1000);
  checks.require_equal(num_members, settings.num_remote, "the set has every remote postcode");
  checks.require_equal<std::uint64_t>(num_others, 0, "the set does not have another postcode");
  table.add({kSet, grouped(memory_usage(client, kSet)), grouped(num_members), grouped(num_others),
             "0 %", "0 %", "0 %"});
  table.print();
}

/// Returns the number of queries per second. The function queries each postcode once. Half of the
/// queried postcodes are remote.
std::string queries_per_second(const QueryAll& query, const Settings& settings,
                               std::size_t batch_size) {
  const std::uint64_t num = std::min<std::uint64_t>(
      {settings.num_queries, 100 * batch_size + 1000, 2 * settings.num_remote});
  const Clock::time_point start = Clock::now();
  static_cast<void>(count_present(query, settings.num_remote - num / 2, num, batch_size));
  return grouped(static_cast<std::uint64_t>(static_cast<double>(num) / seconds_since(start)));
}

void show_speeds(RedisClient& client, const std::shared_ptr<RedisClient>& shared,
                 std::span<const Published> filters, const Settings& settings) {
  struct Method {
    const char* name;
    std::string filter;
    ReadMethod method;
  };

  const std::array methods = {
      Method{"standard, GETBIT", filters[0].filter, ReadMethod::kGetBit},
      Method{"standard, BITFIELD_RO (default)", filters[0].filter, ReadMethod::kBitField},
      Method{"blocked, BITFIELD_RO", filters[1].filter, ReadMethod::kBitField},
      Method{"blocked, GETRANGE (default)", filters[1].filter, ReadMethod::kGetRange}};
  MarkdownTable table({"queries per second", "1 at a time", "10", "100", "1,000"});
  const auto add = [&](const std::string& name, const QueryAll& query) {
    std::vector<std::string> cells = {name};
    for (const std::size_t batch : {1U, 10U, 100U, 1000U}) {
      cells.push_back(queries_per_second(query, settings, batch));
    }
    table.add(cells);
  };
  for (const Method& method : methods) {
    Shop shop(shared, method.filter, {.method = method.method});
    add(method.name, [&](std::span<const KeyView> keys) { return shop.are_remote(keys); });
  }
  add("SET, SMISMEMBER",
      [&](std::span<const KeyView> keys) { return are_in_set(client, kSet, keys); });
  table.print();
}

void run(const Settings& settings, Checks& checks) {
  const RedisProcess redis;
  const auto publisher = connect_redis(redis.url());
  const std::array filters = {
      publish_filter<StandardFilter>(*publisher, settings.num_remote, settings.rate),
      publish_filter<BlockedFilter>(*publisher, settings.num_remote, settings.rate)};
  publish_set(*publisher, kSet, settings.num_remote);
  std::cout << grouped(settings.num_remote) << " remote postcodes published.\n" << std::flush;

  const auto shop = connect_redis(redis.url());  // the other service has its own connection
  show_rates(*shop, shop, filters, settings, checks);
  show_speeds(*shop, shop, filters, settings);
}

}  // namespace
}  // namespace bloometry::examples

int main(int argc, char** argv) {
  using namespace bloometry::examples;
  CLI::App app("Remote postcodes in a filter in Redis, queried by another service",
               "remote_postcode");
  app.option_defaults()->always_capture_default();
  Settings settings;
  app.add_option("--remote", settings.num_remote, "remote postcodes")
      ->check(CLI::Range(1'000, 10'000'000));
  app.add_option("--others", settings.num_queries, "other postcodes that are queried")
      ->check(CLI::Range(1'000, 10'000'000));
  app.add_option("--rate", settings.rate, "false-positive rate that the filters are sized for")
      ->check(CLI::Range(1e-6, 0.5));
  return run_example(app, argc, argv, [&](Checks& checks) { run(settings, checks); });
}
