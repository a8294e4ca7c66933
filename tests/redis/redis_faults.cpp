// Causes every fault of a single server while members of a filter are queried. Every query must
// report the member present or fail, and must never report it absent.
//
// usage: bloometry_redis_faults [--long]

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/redis/redis_server.hpp"
#include "tests/redis/cutting_proxy.hpp"
#include "tests/redis/fault_trial.hpp"
#include "tests/redis/filter_under_fault.hpp"

namespace bloometry::test {
namespace {

using std::chrono::milliseconds;

constexpr RedisTimeouts kTightTimeouts{.connect = milliseconds(100), .command = milliseconds(100)};

/// A server with the filter, and a client that causes faults.
struct Subject {
  explicit Subject(std::vector<std::string> options = {})
      : process(std::move(options)), mine(process.url(), {}, kQuickRetries) {
    here.load(mine);
  }

  [[nodiscard]] static RedisFilter open(const RedisUrl& url, const RedisTimeouts& timeouts = {},
                                        const RetryPolicy& retry = kOnce) {
    return FilterUnderFault::open(std::make_shared<RedisServer>(url, timeouts, retry));
  }

  void load_anew() { here.load(mine, {.replaces_anything = true}); }

  RedisProcess process;
  RedisServer mine;
  FilterUnderFault here;
};

/// Makes a call that the server must refuse.
/// @throws std::logic_error unless the call is refused
template <class Call>
void must_be_refused(Call call) {
  if (redis_error_of(call).failure() != RedisFailure::kRefused) {
    throw std::logic_error("must have been refused");
  }
}

/// Keys that the disturbing thread adds during a trial and then queries. The thread queries only
/// keys whose insert was confirmed.
class LateKeys {
 public:
  explicit LateKeys(const RedisUrl& url)
      : url_(url), filter_(Subject::open(url, {}, kQuickRetries)), stream_(keys_) {}

  void open_again() { filter_ = Subject::open(url_, {}, kQuickRetries); }

  void add() {
    newest_ = keys_named("late-" + std::to_string(num_batches_++) + "-", 20);
    filter_.insert(std::vector<KeyView>(newest_.begin(), newest_.end()));
  }

  void query_members() { stream_.query_members(filter_, newest_); }

  [[nodiscard]] const FaultTally& tally() const { return stream_.tally(); }

 private:
  RedisUrl url_;
  RedisFilter filter_;
  std::vector<std::string> keys_;
  QueriesUnderFault stream_;
  std::vector<std::string> newest_;
  int num_batches_ = 0;
};

FaultTally killed_and_empty(const TrialSize& size) {
  Subject subject;
  FaultTrial trial(size, subject.here, Subject::open(subject.process.url()));
  trial.run([&] {
    trial.wait_randomly();
    subject.process.kill();
    trial.wait_for_calls();
    subject.process.restart();
    trial.wait_for_calls();
    subject.load_anew();
    trial.wait_for_calls();
  });
  return trial.tally();
}

FaultTally killed_with_append_only_file(const TrialSize& size) {
  Subject subject({"--appendonly", "yes", "--appendfsync", "always"});
  FaultTrial trial(size, subject.here, Subject::open(subject.process.url()));
  LateKeys late(subject.process.url());
  trial.run([&] {
    late.add();
    trial.wait_randomly();
    subject.process.kill();
    trial.wait_for_calls();
    subject.process.restart();
    late.query_members();
    trial.wait_for_calls();
  });
  return FaultTally(trial.tally()) += late.tally();
}

FaultTally restarted_from_old_snapshot(const TrialSize& size) {
  Subject subject({"--dbfilename", "dump.rdb"});
  FaultTrial trial(size, subject.here, Subject::open(subject.process.url()));
  LateKeys late(subject.process.url());
  trial.run([&] {
    redis(subject.mine, "SAVE");
    late.add();
    trial.wait_for_calls();
    subject.process.restart();
    late.query_members();
    late.open_again();
    trial.wait_for_calls();
  });
  return FaultTally(trial.tally()) += late.tally();
}

FaultTally memory_full(const TrialSize& size) {
  Subject subject;
  FaultTrial trial(size, subject.here, Subject::open(subject.process.url()));
  LateKeys late(subject.process.url());
  redis(subject.mine, "CONFIG", "SET", "maxmemory-policy", "noeviction");
  trial.run([&] {
    trial.wait_randomly();
    redis(subject.mine, "CONFIG", "SET", "maxmemory", "1");
    trial.wait_for_calls();
    must_be_refused([&] { subject.here.load(subject.mine); });
    must_be_refused([&] { late.add(); });
    redis(subject.mine, "CONFIG", "SET", "maxmemory", "0");
    late.add();
    late.query_members();
    trial.wait_for_calls();
  });
  return FaultTally(trial.tally()) += late.tally();
}

std::int64_t used_memory(RedisClient& client) {
  const RedisReply reply = client.command("", RedisCommands().add("INFO", "memory"));
  const std::string text(reply.view().text());
  return std::stoll(text.substr(text.find("used_memory:") + std::string("used_memory:").size()));
}

std::int64_t keys_of_filter(RedisClient& client) {
  const RedisReply reply = client.command(
      "", RedisCommands().add("EXISTS", FilterUnderFault::kName, FilterUnderFault::kParameters));
  return reply.view().integer();
}

FaultTally evicted(const TrialSize& size, const char* policy) {
  // The server samples one key per eviction. With more samples, LRU would never evict a key that is
  // queried all the time.
  Subject subject({"--maxmemory-samples", "1", "--maxmemory-policy", policy});
  FaultTrial trial(size, subject.here, Subject::open(subject.process.url()));
  const std::string value(16'384, 'x');
  trial.run([&] {
    trial.wait_randomly();
    redis(subject.mine, "CONFIG", "SET", "maxmemory", used_memory(subject.mine) + 500'000);
    for (int i = 0; i < 20'000 && keys_of_filter(subject.mine) == 2; ++i) {
      try {
        redis(subject.mine, "SET", "other:" + std::to_string(i), value);
      } catch (const RedisError&) {
        // Redis refuses the key, because all other keys have already been evicted.
      }
    }
    trial.wait_for_calls();
    redis(subject.mine, "CONFIG", "SET", "maxmemory", "0");
    redis(subject.mine, "FLUSHALL");
    subject.load_anew();
    trial.wait_for_calls();
  });
  return trial.tally();
}

FaultTally connection_cut(const TrialSize& size, const RetryPolicy& retry) {
  Subject subject;
  CuttingProxy proxy(subject.process.port());
  FaultTrial trial(size, subject.here, Subject::open(proxy.url(), {}, retry));
  trial.run([&] {
    // The replies have sizes from 500 bytes to 60 kB.
    const std::uint64_t bound = trial.random_below(2) == 0 ? 2000 : 100'000;
    proxy.cut_after(trial.random_below(bound));
    while (proxy.will_cut()) std::this_thread::sleep_for(std::chrono::microseconds(200));
    trial.wait_for_calls();
  });
  return trial.tally();
}

FaultTally stopped(const TrialSize& size) {
  Subject subject;
  const int pid = subject.process.pid();
  FaultTrial trial(size, subject.here, Subject::open(subject.process.url(), kTightTimeouts));
  trial.run([&] {
    trial.wait_randomly();
    ::kill(pid, SIGSTOP);
    std::this_thread::sleep_for(milliseconds(300));
    ::kill(pid, SIGCONT);
    trial.wait_for_calls();
    std::this_thread::sleep_for(milliseconds(20));
  });
  return trial.tally();
}

FaultTally asleep(const TrialSize& size) {
  Subject subject({"--enable-debug-command", "local"});
  FaultTrial trial(size, subject.here, Subject::open(subject.process.url(), kTightTimeouts));
  trial.run([&] {
    trial.wait_randomly();
    redis(subject.mine, "DEBUG", "SLEEP", "0.3");
    trial.wait_for_calls();
    std::this_thread::sleep_for(milliseconds(20));
  });
  return trial.tally();
}

FaultTally wrong_type(const TrialSize& size, const char* key) {
  Subject subject;
  FaultTrial trial(size, subject.here, Subject::open(subject.process.url()));
  trial.run([&] {
    trial.wait_randomly();
    redis(subject.mine, "DEL", key);
    redis(subject.mine, "RPUSH", key, "a");
    trial.wait_for_calls();
    redis(subject.mine, "DEL", key);
    subject.load_anew();
    trial.wait_for_calls();
  });
  return trial.tally();
}

FaultTally edited_parameters(const TrialSize& size) {
  Subject subject;
  FaultTrial trial(size, subject.here, Subject::open(subject.process.url()));
  const std::vector<std::vector<std::string>> edits = {
      {"HSET", FilterUnderFault::kParameters, "num_hashes", "6"},
      {"HSET", FilterUnderFault::kParameters, "num_bits", "19999"},
      {"HSET", FilterUnderFault::kParameters, "seed", "8"},
      {"HSET", FilterUnderFault::kParameters, "version", "other"},
      {"HSET", FilterUnderFault::kParameters, "extra", "1"},
      {"HSET", FilterUnderFault::kParameters, "updates", "-5"},
      {"HDEL", FilterUnderFault::kParameters, "updates"},
      {"HDEL", FilterUnderFault::kParameters, "num_bits"},
  };
  std::size_t round = 0;
  trial.run([&] {
    trial.wait_randomly();
    trial.set_reopens(false);
    const std::vector<std::string>& words = edits[round++ % edits.size()];
    RedisCommands edit;
    edit.begin(words.size());
    for (const std::string& word : words) edit.argument(word);
    static_cast<void>(subject.mine.command("", edit));
    trial.wait_for_calls();
    subject.load_anew();
    trial.set_reopens(true);
    trial.wait_for_calls();
  });
  return trial.tally();
}

FaultTally alternating_versions(const TrialSize& size) {
  Subject subject;
  const FilterUnderFault other(64);
  FaultTrial trial(size, subject.here, Subject::open(subject.process.url()));
  trial.run([&] {
    // Loads this filter and another filter, with and without shards, so that each kind of load
    // follows each other kind.
    for (const std::uint64_t num_shards : {1, 1, 3, 3, 1, 3}) {
      for (const FilterUnderFault* filter : {&other, &std::as_const(subject.here)}) {
        filter->load(subject.mine, {.num_shards = num_shards,
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
  FaultTrial trial(size, subject.here, Subject::open(subject.process.url()));
  trial.run([&] {
    trial.wait_randomly();
    drop_from_redis(subject.mine, FilterUnderFault::kName);
    trial.wait_for_calls();
    subject.here.load(subject.mine, {.num_shards = num_shards});
    trial.wait_for_calls();
  });
  return trial.tally();
}

FaultTally expiring(const TrialSize& size, std::uint64_t num_shards) {
  Subject subject;
  FaultTrial trial(size, subject.here, Subject::open(subject.process.url()));
  trial.run([&] {
    const milliseconds ttl(20 + trial.random_below(20));
    subject.here.load(subject.mine, {.ttl = ttl, .num_shards = num_shards});
    std::this_thread::sleep_for(ttl + milliseconds(2));
    trial.wait_for_calls();
  });
  return trial.tally();
}

FaultTally flushed(const TrialSize& size) {
  Subject subject;
  FaultTrial trial(size, subject.here, Subject::open(subject.process.url()));
  trial.run([&] {
    trial.wait_randomly();
    redis(subject.mine, "FLUSHALL");
    trial.wait_for_calls();
    subject.load_anew();
    trial.wait_for_calls();
  });
  return trial.tally();
}

/// Queries a port at which no server accepts connections.
FaultTally queried_at(const TrialSize& size, std::uint16_t port) {
  const FilterUnderFault here;
  constexpr RedisTimeouts kTimeouts{.connect = milliseconds(10), .command = milliseconds(10)};
  const RedisUrl url{.host = "127.0.0.1", .port = port};
  FaultTrial trial(size, here,
                   here.open_unseen(std::make_shared<RedisServer>(url, kTimeouts, kOnce)));
  trial.run([&] { trial.wait_for_calls(); });
  return trial.tally();
}

struct Fault {
  const char* name;
  std::function<FaultTally(const TrialSize&)> run;
  std::vector<RedisFailure> must_see;  ///< each of these causes must occur
  bool answers = true;                 ///< whether at least one query must succeed
};

std::vector<Fault> all_faults() {
  using enum RedisFailure;
  return {
      {"killed, restarted empty, loaded", killed_and_empty, {kUnreachable, kMissing}},
      {"killed, restarted, append-only file", killed_with_append_only_file, {kUnreachable}},
      {"restarted from an old snapshot", restarted_from_old_snapshot, {kChanged}},
      {"memory full, noeviction", memory_full, {}},
      {"evicted, allkeys-random",
       [](const TrialSize& size) { return evicted(size, "allkeys-random"); },
       {kMissing}},
      {"evicted, allkeys-lru",
       [](const TrialSize& size) { return evicted(size, "allkeys-lru"); },
       {kMissing}},
      {"connection cut, 4 attempts",
       [](const TrialSize& size) { return connection_cut(size, kQuickRetries); },
       {}},
      {"connection cut, 1 attempt",
       [](const TrialSize& size) { return connection_cut(size, kOnce); },
       {kUnreachable}},
      {"SIGSTOP 300 ms, deadline 100 ms", stopped, {kUnreachable}},
      {"DEBUG SLEEP 300 ms, deadline 100 ms", asleep, {kUnreachable}},
      {"wrong type at the bitmap",
       [](const TrialSize& size) { return wrong_type(size, FilterUnderFault::kName); },
       {kRefused}},
      {"wrong type at the parameters",
       [](const TrialSize& size) { return wrong_type(size, FilterUnderFault::kParameters); },
       {kRefused}},
      {"parameters edited by hand", edited_parameters, {kChanged}},
      {"loads of other versions, whole and cut", alternating_versions, {kChanged}},
      {"dropped and loaded", [](const TrialSize& size) { return dropped(size, 1); }, {kMissing}},
      {"dropped and loaded, 3 shards",
       [](const TrialSize& size) { return dropped(size, 3); },
       {kMissing}},
      {"expiring and loaded", [](const TrialSize& size) { return expiring(size, 1); }, {kMissing}},
      {"expiring and loaded, 3 shards",
       [](const TrialSize& size) { return expiring(size, 3); },
       {kMissing}},
      {"FLUSHALL", flushed, {kMissing}},
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

void print(const char* name, const FaultTally& tally, const char* verdict) {
  std::printf("%-40s %9llu %9llu", name, static_cast<unsigned long long>(tally.num_queries),
              static_cast<unsigned long long>(tally.num_answered));
  for (const std::uint64_t errors : tally.num_errors) {
    std::printf(" %11llu", static_cast<unsigned long long>(errors));
  }
  std::printf(" %12llu  %s\n", static_cast<unsigned long long>(tally.num_wrong_absent), verdict);
  std::fflush(stdout);
}

const char* verdict_of(const Fault& fault, const FaultTally& tally, const TrialSize& size) {
  if (tally.num_wrong_absent > 0) return "WRONG ABSENT";
  if (tally.num_queries < size.num_queries) return "TOO FEW QUERIES";
  const bool has_all = std::all_of(fault.must_see.begin(), fault.must_see.end(),
                                   [&](RedisFailure kind) { return tally.errors(kind) > 0; });
  if (!has_all) return "ERROR NOT SEEN";
  if (fault.answers != (tally.num_answered > 0)) return "ANSWERS?";
  if (tally.num_answered + tally.all_errors() != tally.num_queries) return "MISCOUNTED";
  return "ok";
}

bool run(const TrialSize& size) {
  std::printf("%-40s %9s %9s %11s %11s %11s %11s %12s\n", "fault", "queries", "answered",
              "unreachable", "refused", "missing", "changed", "wrong absent");
  FaultTally sum;
  bool is_good = true;
  for (const Fault& fault : all_faults()) {
    try {
      const FaultTally tally = fault.run(size);
      const std::string verdict = verdict_of(fault, tally, size);
      is_good = is_good && verdict == "ok";
      print(fault.name, tally, verdict.c_str());
      sum += tally;
    } catch (const std::exception& error) {
      std::printf("%-40s %s\n", fault.name, error.what());
      is_good = false;
    }
  }
  print("all", sum, "");
  return is_good;
}

}  // namespace
}  // namespace bloometry::test

int main(int argc, char** argv) {
  using bloometry::test::TrialSize;
  const bool is_long = argc > 1 && std::string(argv[1]) == "--long";
  const TrialSize size =
      is_long ? TrialSize{.num_rounds = 30,
                          .num_queries = 1'000'000,
                          .time_limit = std::chrono::seconds(600)}
              : TrialSize{
                    .num_rounds = 3, .num_queries = 3'000, .time_limit = std::chrono::seconds(30)};
  return bloometry::test::run(size) ? 0 : 1;
}
