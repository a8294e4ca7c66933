// A list of malicious URLs. Every client has a copy of a filter that contains the list. A client
// queries Redis only for URLs that the copy contains. README.md shows the output of one run.

#include <fmt/core.h>
#include <iostream>
#include <string>
#include <vector>

#include "core/hash/siphash_hashers.hpp"
#include "core/redis/connect_redis.hpp"
#include "experiments/examples/example_program.hpp"
#include "experiments/examples/false_positives.hpp"
#include "experiments/examples/latencies.hpp"
#include "experiments/examples/markdown_table.hpp"
#include "experiments/servers/redis_process.hpp"
#include "experiments/text/number_text.hpp"
#include "variants/redis/keyed_in_redis.hpp"
#include "variants/standard/standard_theory.hpp"

namespace bloometry::examples {
namespace {

/// The hash has a secret, because attackers choose the URLs.
using SecretFilter = Keyed<StandardFilter, SipHash128Hasher>;
using PublicFilter = Keyed<StandardFilter>;  // xxh3 with a public seed, for comparison

constexpr const char* kFilter = "malicious";
constexpr const char* kSet = "malicious-set";

struct Settings {
  std::uint64_t num_malicious = 100'000;
  std::uint64_t num_harmless = 1'000'000;
  std::uint64_t num_crafted = 1'000;
  double rate = 0.01;
};

std::string malicious_url(std::uint64_t i) {
  return fmt::format("http://malware{}.example/payload", i);
}

std::string harmless_url(std::uint64_t i) {
  return fmt::format("https://site{}.example/", i);
}

FilterSpec spec_of(const Settings& settings) {
  return {.capacity = settings.num_malicious, .target_false_positive_rate = settings.rate};
}

template <class K>
void insert_list(K& filter, const Settings& settings) {
  for (std::uint64_t i = 0; i < settings.num_malicious; ++i) filter.insert(malicious_url(i));
}

void publish_set(RedisClient& client, const Settings& settings) {
  constexpr std::uint64_t kBatch = 1000;
  for (std::uint64_t first = 0; first < settings.num_malicious; first += kBatch) {
    RedisCommands commands;
    for (std::uint64_t i = first; i < std::min(first + kBatch, settings.num_malicious); ++i) {
      commands.add("SADD", kSet, malicious_url(i));
    }
    static_cast<void>(client.transaction(kSet, commands));
  }
}

/// Returns whether the exact list contains the URL. Throws RedisError if Redis does not answer or
/// if the list does not exist, because the answer is then unknown.
bool is_on_list(RedisClient& client, const std::string& url) {
  const RedisReply reply =
      client.transaction(kSet, RedisCommands().add("EXISTS", kSet).add("SISMEMBER", kSet, url));
  if (reply.view()[0].integer() == 1) return reply.view()[1].integer() == 1;
  throw RedisError(RedisFailure::kMissing, fmt::format("the list {} does not exist", kSet));
}

/// A client that checks URLs with its copy of the filter and confirms positive answers with the
/// exact list.
class Client {
 public:
  Client(std::shared_ptr<RedisClient> redis, SipHashKey secret)
      : redis_(std::move(redis)), secret_(secret), copy_(pull()) {}

  [[nodiscard]] bool is_malicious(const std::string& url) {
    if (!copy_.contains(url)) return false;  // decided by the copy, without network access
    ++num_confirmations_;
    return is_on_list(*redis_, url);
  }

  /// Replaces the client's copy by the current filter in Redis.
  void refresh() { copy_ = pull(); }

  [[nodiscard]] std::uint64_t num_confirmations() const noexcept { return num_confirmations_; }

 private:
  [[nodiscard]] SecretFilter pull() const {
    return pull_from_redis<SecretFilter>(redis_, find_in_redis(*redis_, kFilter), secret_);
  }

  std::shared_ptr<RedisClient> redis_;
  SipHashKey secret_;
  SecretFilter copy_;
  std::uint64_t num_confirmations_ = 0;
};

void check_urls(Client& client, const ExpectedRate& expected, const Settings& settings,
                Checks& checks) {
  std::uint64_t num_found = 0;
  const Clock::time_point first = Clock::now();
  for (std::uint64_t i = 0; i < settings.num_malicious; ++i) {
    num_found += client.is_malicious(malicious_url(i)) ? 1 : 0;
  }
  const double malicious_s = seconds_since(first);
  checks.require_equal(num_found, settings.num_malicious, "every malicious URL is found");

  const std::uint64_t before = client.num_confirmations();
  std::uint64_t num_accused = 0;
  const Clock::time_point second = Clock::now();
  for (std::uint64_t i = 0; i < settings.num_harmless; ++i) {
    num_accused += client.is_malicious(harmless_url(i)) ? 1 : 0;
  }
  const double harmless_s = seconds_since(second);
  checks.require_equal<std::uint64_t>(num_accused, 0, "no harmless URL is called malicious");
  const FalsePositives passed{settings.num_harmless, client.num_confirmations() - before};
  passed.check(expected, "harmless URLs", checks);

  const auto us_per_url = [](double seconds, std::uint64_t num) {
    return rounded(1e6 * seconds / static_cast<double>(num), 3);
  };
  MarkdownTable table({"URLs", "number", "sent to Redis", "rate (95 % interval)",
                       "expected given its bits", "expected before", "us per URL"});
  table.add({"malicious", grouped(num_found), grouped(before), "100 %", "100 %", "100 %",
             us_per_url(malicious_s, num_found)});
  table.add({"harmless", grouped(passed.num_queries), grouped(passed.num_passed),
             passed.rate_text(), percent(expected.given_bits), percent(expected.exact),
             us_per_url(harmless_s, passed.num_queries)});
  table.print();
}

/// The URLs of an attacker who knows the list and the seed. The attacker builds the filter and
/// tries URLs until enough false positives are found.
struct Attack {
  std::vector<std::string> urls{};
  std::uint64_t num_tried = 0;
};

Attack craft_false_positives(const PublicFilter& filter, std::uint64_t num_urls) {
  Attack attack;
  while (attack.urls.size() < num_urls) {
    std::string url = fmt::format("https://innocent.example/?{}", attack.num_tried++);
    if (filter.contains(url)) attack.urls.push_back(std::move(url));
  }
  return attack;
}

void show_attack(const SecretFilter& secret, const ExpectedRate& expected, const Settings& settings,
                 Checks& checks) {
  PublicFilter victim(spec_of(settings), 0);
  insert_list(victim, settings);
  PublicFilter attackers(spec_of(settings), 0);
  insert_list(attackers, settings);
  const Attack attack = craft_false_positives(attackers, settings.num_crafted);

  FalsePositives in_public{attack.urls.size(), 0};
  FalsePositives in_secret{attack.urls.size(), 0};
  for (const std::string& url : attack.urls) {
    in_public.num_passed += victim.contains(url) ? 1 : 0;
    in_secret.num_passed += secret.contains(url) ? 1 : 0;
  }
  std::cout << "An attacker tried " << grouped(attack.num_tried) << " URLs offline for "
            << grouped(attack.urls.size()) << " false positives.\n";
  MarkdownTable table({"hash of the filter", "crafted URLs", "in the filter",
                       "rate (95 % interval)", "expected of random URLs"});
  table.add({"xxh3, known seed", grouped(in_public.num_queries), grouped(in_public.num_passed),
             in_public.rate_text(),
             percent(victim.filter().state().conditional_false_positive_rate)});
  table.add({"SipHash, secret key", grouped(in_secret.num_queries), grouped(in_secret.num_passed),
             in_secret.rate_text(), percent(expected.given_bits)});
  table.print();
  checks.require_equal(in_public.num_passed, in_public.num_queries,
                       "known seed: every crafted URL is a false positive");
  in_secret.check(expected, "secret key: crafted URLs", checks);
}

/// Adds a URL to the list. Checks that the client finds the URL after the next pull, and not
/// before.
void add_url(const std::shared_ptr<RedisClient>& redis, SipHashKey secret, Client& client,
             Checks& checks) {
  // The first URL that is not already a false positive of the copy.
  std::string url;
  for (std::uint64_t i = 0; url.empty() || client.is_malicious(url); ++i) {
    const std::uint64_t before = client.num_confirmations();
    url = fmt::format("http://new-malware{}.example/", i);
    static_cast<void>(client.is_malicious(url));
    if (client.num_confirmations() != before) url.clear();
  }
  redis->command(kSet, RedisCommands().add("SADD", kSet, url));
  RedisFilter filter(redis, find_in_redis(*redis, kFilter), SipHash128Hasher(secret));
  const KeyView key = url;
  static_cast<void>(filter.insert({&key, 1}));

  const bool before = client.is_malicious(url);
  client.refresh();
  const bool after = client.is_malicious(url);
  std::cout << "A URL added to the list: " << (before ? "found" : "not found")
            << " by the old copy, " << (after ? "found" : "not found") << " after a pull.\n";
  checks.require(!before && after, "a new URL is found after the next pull, and not before");
}

void run(const Settings& settings, Checks& checks) {
  const RedisProcess redis_process;
  const auto redis = connect_redis(redis_process.url());
  const SipHashKey secret = SipHashKey::random();  // shared by all clients, from a secret store
  SecretFilter filter(spec_of(settings), secret);
  insert_list(filter, settings);
  publish_set(*redis, settings);
  load_into_redis(*redis, kFilter, filter);
  const ExpectedRate expected =
      expected_rate(filter.filter(), spec_of(settings), settings.num_malicious);

  const Clock::time_point start = Clock::now();
  Client client(connect_redis(redis_process.url()), secret);
  std::cout << "Pulled " << grouped(filter.filter().num_bits() / 8) << " bytes in "
            << rounded(1e3 * seconds_since(start), 2) << " ms.\n";
  check_urls(client, expected, settings, checks);
  show_attack(filter, expected, settings, checks);
  add_url(redis, secret, client, checks);
}

}  // namespace
}  // namespace bloometry::examples

int main(int argc, char** argv) {
  using namespace bloometry::examples;
  CLI::App app("A filter of malicious URLs, copied from Redis by every client", "malicious_url");
  app.option_defaults()->always_capture_default();
  Settings settings;
  app.add_option("--malicious", settings.num_malicious, "URLs on the list")
      ->check(CLI::Range(1'000, 10'000'000));
  app.add_option("--harmless", settings.num_harmless, "other URLs that the client meets")
      ->check(CLI::Range(1'000, 100'000'000));
  app.add_option("--crafted", settings.num_crafted, "false positives that the attacker makes")
      ->check(CLI::Range(100, 1'000'000));
  app.add_option("--rate", settings.rate, "false-positive rate that the filter is sized for")
      ->check(CLI::Range(1e-6, 0.5));
  return run_example(app, argc, argv, [&](Checks& checks) { run(settings, checks); });
}
