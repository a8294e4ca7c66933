#include <functional>
#include <string>
#include <vector>

#include "core/redis/redis_server.hpp"
#include "tests/redis/cutting_proxy.hpp"
#include "tests/redis/filter_under_fault.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

using namespace test;

/// Counts the bytes in the replies to the call. Then repeats the call once per byte, each time with
/// the connection cut before that byte.
/// @param check function that is called after each call, with true if the call succeeded
/// @returns the number of calls that succeeded in spite of the cut
std::uint64_t cut_everywhere(CuttingProxy& proxy, const std::function<void()>& call,
                             const std::function<void(bool)>& check) {
  call();  // later calls then start from the same state
  const std::uint64_t num_before = proxy.num_reply_bytes();
  call();
  const std::uint64_t num_bytes = proxy.num_reply_bytes() - num_before;
  REQUIRE(num_bytes > 0);
  std::uint64_t num_succeeded = 0;
  for (std::uint64_t i = 0; i < num_bytes; ++i) {
    CAPTURE(i, num_bytes);
    proxy.cut_after(i);
    bool has_succeeded = true;
    try {
      call();
    } catch (const RedisError& error) {
      has_succeeded = false;
      CHECK(error.failure() == RedisFailure::kUnreachable);
    }
    proxy.never_cut();
    num_succeeded += static_cast<std::uint64_t>(has_succeeded);
    check(has_succeeded);
  }
  return num_succeeded;
}

TEST_CASE("a query whose reply is cut at any byte is an error, and a retry answers correctly",
          "[redis][cut]") {
  RedisProcess process;
  CuttingProxy proxy(process.port());
  const FilterUnderFault filter;
  RedisServer direct(process.url());
  filter.load(direct);
  const std::vector<KeyView> keys = {KeyView(filter.members()[0]), KeyView(filter.members()[1])};
  const std::vector<Presence> present(keys.size(), Presence::kPresent);

  RedisFilter once =
      FilterUnderFault::open(std::make_shared<RedisServer>(proxy.url(), RedisTimeouts{}, kOnce));
  RedisFilter again = FilterUnderFault::open(
      std::make_shared<RedisServer>(proxy.url(), RedisTimeouts{}, kQuickRetries));
  std::uint64_t i = 0;
  const std::uint64_t num_succeeded = cut_everywhere(
      proxy,
      [&] {
        const std::vector<Presence> answers = once.query(keys);
        CHECK(answers == present);
      },
      [&](bool) {
        proxy.cut_after(i++);
        CHECK(again.query(keys) == present);
        proxy.never_cut();
      });
  CHECK(num_succeeded == 0);
}

TEST_CASE("an insert whose reply was cut can be repeated and gives the right filter",
          "[redis][cut]") {
  RedisProcess process;
  CuttingProxy proxy(process.port());
  RedisServer direct(process.url());
  const FilterUnderFault filter;
  filter.load(direct);
  RedisFilter once =
      FilterUnderFault::open(std::make_shared<RedisServer>(proxy.url(), RedisTimeouts{}, kOnce));
  RedisFilter again = FilterUnderFault::open(
      std::make_shared<RedisServer>(proxy.url(), RedisTimeouts{}, kQuickRetries));
  const auto key = [](std::uint64_t i) { return "new-" + std::to_string(i); };
  std::uint64_t i = 0;
  const std::uint64_t num_succeeded = cut_everywhere(
      proxy, [&] { once.insert(std::vector{KeyView(key(0))}); },
      [&](bool) {
        const std::string one = key(++i);
        const std::vector<KeyView> keys = {KeyView(one)};
        proxy.cut_after(i % 5);
        again.insert(keys);
        proxy.never_cut();
        CHECK(once.query(keys).front() == Presence::kPresent);
      });
  CHECK(num_succeeded == 0);

  // The bits in Redis must equal the bits of a filter that receives the same keys without a cut.
  Keyed<StandardFilter> expected({.num_bits = 20'000, .num_hashes = 5}, 7);
  for (const std::string& member : filter.members()) expected.insert(member);
  for (std::uint64_t added = 0; added <= i; ++added) expected.insert(key(added));
  std::vector<std::uint64_t> words(expected.filter().bits().words().size());
  const auto client = std::make_shared<RedisServer>(process.url());
  pull_from_redis(client, find_in_redis(*client, FilterUnderFault::kName), words);
  CHECK(std::equal(words.begin(), words.end(), expected.filter().bits().words().begin()));
}

TEST_CASE("a load whose replies are cut at any byte leaves the old filter or the new one",
          "[redis][cut]") {
  RedisProcess process;
  CuttingProxy proxy(process.port());
  const auto direct = std::make_shared<RedisServer>(process.url());
  RedisServer once(proxy.url(), {}, kOnce);
  RedisServer again(proxy.url(), {}, kQuickRetries);
  const FilterUnderFault filter;
  for (const std::uint64_t num_shards : {1, 2}) {
    const RedisLoadOptions options{.num_shards = num_shards, .slice_bytes = 1000};
    std::uint64_t i = 0;
    const std::uint64_t num_succeeded = cut_everywhere(
        proxy, [&] { filter.load(once, options); },
        [&](bool) {
          RedisFilter seen = FilterUnderFault::open(direct);
          QueriesUnderFault stream(filter.members());
          CHECK_FALSE(stream.query_batch(seen));
          CHECK(stream.tally().num_wrong_absent == 0);
          for (const std::string& key : all_keys(*direct)) {
            CHECK(key.find("loading") == std::string::npos);
          }
          const std::uint64_t at = i++;
          if (at % 8 != 0) return;
          proxy.cut_after(at);
          filter.load(again, options);
          CHECK_FALSE(proxy.will_cut());
        });
    // A load into shards can succeed after a lost reply, because it checks whether the new shards
    // are already valid.
    CHECK((num_succeeded > 0) == (num_shards > 1));
  }
}

}  // namespace
}  // namespace bloometry
