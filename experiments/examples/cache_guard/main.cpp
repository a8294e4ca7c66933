// Cache penetration: a cache does not contain nonexistent URLs, so every request for a nonexistent
// URL reaches the database. In this example, a Bloom filter in Redis answers most of these
// requests. README.md shows the output of one run.

#include <iostream>

#include "experiments/examples/cache_guard/comparison.hpp"
#include "experiments/examples/cache_guard/guard_settings.hpp"
#include "experiments/examples/cache_guard/outage.hpp"
#include "experiments/examples/cache_guard/request_log.hpp"
#include "experiments/examples/cache_guard/url_table.hpp"
#include "experiments/examples/example_program.hpp"
#include "experiments/servers/postgres_process.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::examples {
namespace {

void add_options(CLI::App& app, GuardSettings& settings) {
  app.add_option("--urls", settings.log.num_urls, "URLs in the table, and as many that are not")
      ->check(CLI::Range(1'000, 10'000'000));
  app.add_option("--requests", settings.log.num_requests, "requests in the log")
      ->check(CLI::Range(100, 100'000'000));
  app.add_option("--missing-share", settings.log.missing_share,
                 "share of the requests that are for URLs that do not exist")
      ->check(CLI::Range(0.01, 0.99));
  app.add_option("--rate", settings.rate, "false-positive rate that the filters are sized for")
      ->check(CLI::Range(1e-6, 0.5));
  app.add_option("--timeout-ms", settings.timeout_ms, "how long Redis may take")
      ->check(CLI::Range(1, 60'000));
  app.add_option("--pause-ms", settings.pause_ms, "how long Redis is not queried after an error")
      ->check(CLI::Range(1, 60'000));
  app.add_option("--seed", settings.log.seed, "seed of the request log");
}

void run(const GuardSettings& settings, Checks& checks) {
  const RequestLog log = make_request_log(settings.log);
  const PostgresProcess postgres;
  UrlTable table(postgres.connection_string());
  table.create(log);
  std::cout << grouped(log.num_urls) << " URLs in PostgreSQL, " << grouped(log.requests.size())
            << " requests.\n"
            << std::flush;
  compare_services(log, table, settings, checks);
  live_through_outage(log, table, settings, checks);
}

}  // namespace
}  // namespace bloometry::examples

int main(int argc, char** argv) {
  using namespace bloometry::examples;
  CLI::App app("A Bloom filter in Redis in front of a PostgreSQL table of URLs", "cache_guard");
  app.option_defaults()->always_capture_default();
  GuardSettings settings;
  add_options(app, settings);
  return run_example(app, argc, argv, [&](Checks& checks) { run(settings, checks); });
}
