#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/redis/redis_server.hpp"
#include "tests/redis/cutting_proxy.hpp"
#include "tests/redis/fault_trial.hpp"
#include "tests/redis/filter_under_fault.hpp"

/// Faults of a server that are the same for all kinds of filters. A Subject is a server with a
/// filter and a client that causes faults. Each function queries members of the filter while it
/// causes the fault.
namespace bloometry::test {

inline constexpr RedisTimeouts kTightTimeouts{.connect = std::chrono::milliseconds(100),
                                              .command = std::chrono::milliseconds(100)};

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
template <class Subject>
class LateKeys {
 public:
  explicit LateKeys(const RedisUrl& url)
      : url_(url), filter_(Subject::open(url, {}, kQuickRetries)), stream_(keys_) {}

  void open_again() { filter_ = Subject::open(url_, {}, kQuickRetries); }

  void add() {
    newest_ = keys_named("late-" + std::to_string(num_batches_++) + "-", 20);
    Subject::insert(filter_, std::vector<KeyView>(newest_.begin(), newest_.end()));
  }

  void query_members() { stream_.query_members(filter_, newest_); }

  [[nodiscard]] const FaultTally& tally() const { return stream_.tally(); }

 private:
  RedisUrl url_;
  typename Subject::Filter filter_;
  std::vector<std::string> keys_;
  QueriesUnderFault stream_;
  std::vector<std::string> newest_;
  int num_batches_ = 0;
};

template <class Subject>
FaultTally killed_and_empty(const TrialSize& size) {
  Subject subject;
  FaultTrial trial(size, subject.members(), Subject::open(subject.process.url()));
  trial.run([&] {
    trial.wait_randomly();
    subject.process.kill();
    trial.wait_for_calls();
    subject.process.restart();
    trial.wait_for_calls();
    subject.load_anew(trial);
    trial.wait_for_calls();
  });
  return trial.tally();
}

template <class Subject>
FaultTally killed_with_append_only_file(const TrialSize& size) {
  Subject subject({"--appendonly", "yes", "--appendfsync", "always"});
  FaultTrial trial(size, subject.members(), Subject::open(subject.process.url()));
  LateKeys<Subject> late(subject.process.url());
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

template <class Subject>
FaultTally restarted_from_old_snapshot(const TrialSize& size) {
  Subject subject({"--dbfilename", "dump.rdb"});
  FaultTrial trial(size, subject.members(), Subject::open(subject.process.url()));
  LateKeys<Subject> late(subject.process.url());
  trial.run([&] {
    redis(*subject.mine, "SAVE");
    late.add();
    trial.wait_for_calls();
    subject.process.restart();
    late.query_members();
    late.open_again();
    trial.wait_for_calls();
  });
  return FaultTally(trial.tally()) += late.tally();
}

template <class Subject>
FaultTally memory_full(const TrialSize& size) {
  Subject subject;
  FaultTrial trial(size, subject.members(), Subject::open(subject.process.url()));
  LateKeys<Subject> late(subject.process.url());
  redis(*subject.mine, "CONFIG", "SET", "maxmemory-policy", "noeviction");
  trial.run([&] {
    trial.wait_randomly();
    redis(*subject.mine, "CONFIG", "SET", "maxmemory", "1");
    trial.wait_for_calls();
    must_be_refused([&] { subject.load_again(); });
    must_be_refused([&] { late.add(); });
    redis(*subject.mine, "CONFIG", "SET", "maxmemory", "0");
    late.add();
    late.query_members();
    trial.wait_for_calls();
  });
  return FaultTally(trial.tally()) += late.tally();
}

inline std::int64_t used_memory(RedisClient& client) {
  const RedisReply reply = client.command("", RedisCommands().add("INFO", "memory"));
  const std::string text(reply.view().text());
  return std::stoll(text.substr(text.find("used_memory:") + std::string("used_memory:").size()));
}

template <class Subject>
FaultTally evicted(const TrialSize& size, const char* policy) {
  // The server samples one key per eviction. With more samples, LRU would never evict a key that is
  // queried all the time.
  Subject subject({"--maxmemory-samples", "1", "--maxmemory-policy", policy});
  FaultTrial trial(size, subject.members(), Subject::open(subject.process.url()));
  const std::string value(16'384, 'x');
  trial.run([&] {
    trial.wait_randomly();
    redis(*subject.mine, "CONFIG", "SET", "maxmemory", used_memory(*subject.mine) + 500'000);
    for (int i = 0; i < 20'000 && subject.is_whole(); ++i) {
      try {
        redis(*subject.mine, "SET", "other:" + std::to_string(i), value);
      } catch (const RedisError&) {
        // Redis refuses the key, because all other keys have already been evicted.
      }
    }
    trial.wait_for_calls();
    redis(*subject.mine, "CONFIG", "SET", "maxmemory", "0");
    redis(*subject.mine, "FLUSHALL");
    subject.load_anew(trial);
    trial.wait_for_calls();
  });
  return trial.tally();
}

template <class Subject>
FaultTally connection_cut(const TrialSize& size, const RetryPolicy& retry) {
  Subject subject;
  CuttingProxy proxy(subject.process.port());
  FaultTrial trial(size, subject.members(), Subject::open(proxy.url(), {}, retry));
  trial.run([&] {
    // The replies have sizes from 500 bytes to 60 kB.
    const std::uint64_t bound = trial.random_below(2) == 0 ? 2000 : 100'000;
    proxy.cut_after(trial.random_below(bound));
    while (proxy.will_cut()) std::this_thread::sleep_for(std::chrono::microseconds(200));
    trial.wait_for_calls();
  });
  return trial.tally();
}

template <class Subject>
FaultTally stopped(const TrialSize& size) {
  Subject subject;
  const int pid = subject.process.pid();
  FaultTrial trial(size, subject.members(), Subject::open(subject.process.url(), kTightTimeouts));
  trial.run([&] {
    trial.wait_randomly();
    ::kill(pid, SIGSTOP);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    ::kill(pid, SIGCONT);
    trial.wait_for_calls();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  });
  return trial.tally();
}

template <class Subject>
FaultTally asleep(const TrialSize& size) {
  Subject subject({"--enable-debug-command", "local"});
  FaultTrial trial(size, subject.members(), Subject::open(subject.process.url(), kTightTimeouts));
  trial.run([&] {
    trial.wait_randomly();
    redis(*subject.mine, "DEBUG", "SLEEP", "0.3");
    trial.wait_for_calls();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  });
  return trial.tally();
}

template <class Subject>
FaultTally wrong_type(const TrialSize& size, bool is_at_parameters) {
  Subject subject;
  FaultTrial trial(size, subject.members(), Subject::open(subject.process.url()));
  trial.run([&] {
    trial.wait_randomly();
    const std::string key = is_at_parameters ? Subject::kParameters : subject.string_key();
    redis(*subject.mine, "DEL", key);
    redis(*subject.mine, "RPUSH", key, "a");
    trial.wait_for_calls();
    redis(*subject.mine, "DEL", key);
    subject.load_anew(trial);
    trial.wait_for_calls();
  });
  return trial.tally();
}

template <class Subject>
FaultTally edited_parameters(const TrialSize& size) {
  Subject subject;
  FaultTrial trial(size, subject.members(), Subject::open(subject.process.url()));
  const std::vector<std::vector<std::string>> edits = Subject::edits();
  std::size_t round = 0;
  trial.run([&] {
    trial.wait_randomly();
    trial.set_reopens(false);
    const std::vector<std::string>& words = edits[round++ % edits.size()];
    RedisCommands edit;
    edit.begin(words.size());
    for (const std::string& word : words) edit.argument(word);
    static_cast<void>(subject.mine->command("", edit));
    trial.wait_for_calls();
    subject.load_anew(trial);
    trial.set_reopens(true);
    trial.wait_for_calls();
  });
  return trial.tally();
}

template <class Subject>
FaultTally flushed(const TrialSize& size) {
  Subject subject;
  FaultTrial trial(size, subject.members(), Subject::open(subject.process.url()));
  trial.run([&] {
    trial.wait_randomly();
    redis(*subject.mine, "FLUSHALL");
    trial.wait_for_calls();
    subject.load_anew(trial);
    trial.wait_for_calls();
  });
  return trial.tally();
}

}  // namespace bloometry::test
