// Causes every fault of a single server while members of a filter are queried. Every query must
// report the member present or fail, and must never report it absent.
//
// usage: bloometry_redis_faults [--long]

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/redis/redis_server.hpp"
#include "tests/redis/fault_table.hpp"
#include "tests/redis/fault_trial.hpp"
#include "tests/redis/filter_under_fault.hpp"
#include "tests/redis/loopback_socket.hpp"
#include "tests/redis/server_faults.hpp"

namespace bloometry::test {
namespace {

using std::chrono::milliseconds;

/// A server with the filter, and a client that causes faults.
struct Subject {
  using Filter = RedisFilter;
  static constexpr const char* kParameters = FilterUnderFault::kParameters;

  explicit Subject(std::vector<std::string> options = {})
      : process(std::move(options)),
        mine(std::make_shared<RedisServer>(process.url(), RedisTimeouts{}, kQuickRetries)) {
    here.load(*mine);
  }

  [[nodiscard]] static RedisFilter open(const RedisUrl& url, const RedisTimeouts& timeouts = {},
                                        const RetryPolicy& retry = kOnce) {
    return FilterUnderFault::open(std::make_shared<RedisServer>(url, timeouts, retry));
  }

  static void insert(RedisFilter& filter, const std::vector<KeyView>& keys) { filter.insert(keys); }

  [[nodiscard]] static std::vector<std::vector<std::string>> edits() {
    return {{"HSET", kParameters, "num_hashes", "6"}, {"HSET", kParameters, "num_bits", "19999"},
            {"HSET", kParameters, "seed", "8"},       {"HSET", kParameters, "version", "other"},
            {"HSET", kParameters, "extra", "1"},      {"HSET", kParameters, "updates", "-5"},
            {"HDEL", kParameters, "updates"},         {"HDEL", kParameters, "num_bits"}};
  }

  [[nodiscard]] const std::vector<std::string>& members() const { return here.members(); }

  [[nodiscard]] static std::string string_key() { return FilterUnderFault::kName; }

  [[nodiscard]] bool is_whole() {
    const RedisReply reply = mine->command(
        "", RedisCommands().add("EXISTS", FilterUnderFault::kName, FilterUnderFault::kParameters));
    return reply.view().integer() == 2;
  }

  void load_again() { here.load(*mine); }

  void load_anew(FaultTrial& /*trial*/) { here.load(*mine, {.replaces_anything = true}); }

  RedisProcess process;
  std::shared_ptr<RedisServer> mine;
  FilterUnderFault here;
};

FaultTally alternating_versions(const TrialSize& size) {
  Subject subject;
  const FilterUnderFault other(64);
  FaultTrial trial(size, subject.members(), Subject::open(subject.process.url()));
  trial.run([&] {
    // Loads this filter and another filter, with and without shards, so that each kind of load
    // follows each other kind.
    for (const std::uint64_t num_shards : {1, 1, 3, 3, 1, 3}) {
      for (const FilterUnderFault* filter : {&other, &std::as_const(subject.here)}) {
        filter->load(*subject.mine, {.num_shards = num_shards,
                                     .old_shards_ttl = milliseconds(trial.random_below(5))});
        // Some versions are replaced before any query.
        if (num_shards == 1 || trial.random_below(2) == 0) trial.wait_for_calls();
      }
    }
  });
  return trial.tally();
}

FaultTally dropped(const TrialSize& size, std::uint64_t num_shards) {
  Subject subject;
  FaultTrial trial(size, subject.members(), Subject::open(subject.process.url()));
  trial.run([&] {
    trial.wait_randomly();
    drop_from_redis(*subject.mine, FilterUnderFault::kName);
    trial.wait_for_calls();
    subject.here.load(*subject.mine, {.num_shards = num_shards});
    trial.wait_for_calls();
  });
  return trial.tally();
}

FaultTally expiring(const TrialSize& size, std::uint64_t num_shards) {
  Subject subject;
  FaultTrial trial(size, subject.members(), Subject::open(subject.process.url()));
  trial.run([&] {
    const milliseconds ttl(20 + trial.random_below(20));
    subject.here.load(*subject.mine, {.ttl = ttl, .num_shards = num_shards});
    std::this_thread::sleep_for(ttl + milliseconds(2));
    trial.wait_for_calls();
  });
  return trial.tally();
}

/// Queries a port at which no server accepts connections.
FaultTally queried_at(const TrialSize& size, std::uint16_t port) {
  const FilterUnderFault here;
  constexpr RedisTimeouts kTimeouts{.connect = milliseconds(10), .command = milliseconds(10)};
  const RedisUrl url{.host = "127.0.0.1", .port = port};
  FaultTrial trial(size, here.members(),
                   here.open_unseen(std::make_shared<RedisServer>(url, kTimeouts, kOnce)));
  trial.run([&] { trial.wait_for_calls(); });
  return trial.tally();
}

std::vector<Fault> all_faults() {
  using enum RedisFailure;
  return {
      {"killed, restarted empty, loaded", killed_and_empty<Subject>, {kUnreachable, kMissing}},
      {"killed, restarted, append-only file",
       killed_with_append_only_file<Subject>,
       {kUnreachable}},
      {"restarted from an old snapshot", restarted_from_old_snapshot<Subject>, {kChanged}},
      {"memory full, noeviction", memory_full<Subject>, {}},
      {"evicted, allkeys-random",
       [](const TrialSize& size) { return evicted<Subject>(size, "allkeys-random"); },
       {kMissing}},
      {"evicted, allkeys-lru",
       [](const TrialSize& size) { return evicted<Subject>(size, "allkeys-lru"); },
       {kMissing}},
      {"connection cut, 4 attempts",
       [](const TrialSize& size) { return connection_cut<Subject>(size, kQuickRetries); },
       {}},
      {"connection cut, 1 attempt",
       [](const TrialSize& size) { return connection_cut<Subject>(size, kOnce); },
       {kUnreachable}},
      {"SIGSTOP 300 ms, deadline 100 ms", stopped<Subject>, {kUnreachable}},
      {"DEBUG SLEEP 300 ms, deadline 100 ms", asleep<Subject>, {kUnreachable}},
      {"wrong type at the bitmap",
       [](const TrialSize& size) { return wrong_type<Subject>(size, false); },
       {kRefused}},
      {"wrong type at the parameters",
       [](const TrialSize& size) { return wrong_type<Subject>(size, true); },
       {kRefused}},
      {"parameters edited by hand", edited_parameters<Subject>, {kChanged}},
      {"loads of other versions, whole and cut", alternating_versions, {kChanged}},
      {"dropped and loaded", [](const TrialSize& size) { return dropped(size, 1); }, {kMissing}},
      {"dropped and loaded, 3 shards",
       [](const TrialSize& size) { return dropped(size, 3); },
       {kMissing}},
      {"expiring and loaded", [](const TrialSize& size) { return expiring(size, 1); }, {kMissing}},
      {"expiring and loaded, 3 shards",
       [](const TrialSize& size) { return expiring(size, 3); },
       {kMissing}},
      {"FLUSHALL", flushed<Subject>, {kMissing}},
      {"connection refused",
       [](const TrialSize& size) { return queried_at(size, free_port()); },
       {kUnreachable},
       false},
      {"never accepted, deadline 10 ms",
       [](const TrialSize& size) {
         const Listener listener(4096);
         return queried_at(size, listener.port);
       },
       {kUnreachable},
       false},
  };
}

}  // namespace
}  // namespace bloometry::test

int main(int argc, char** argv) {
  using namespace bloometry::test;
  return run_faults(all_faults(), argc > 1 ? argv[1] : nullptr) ? 0 : 1;
}
