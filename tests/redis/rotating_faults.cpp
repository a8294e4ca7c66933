// Causes every fault of a server while members of a rotating filter are queried within their
// window. Every query must report the member present or fail, and must never report it absent.
//
// usage: bloometry_rotating_faults [--long]

#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/redis/redis_server.hpp"
#include "tests/redis/fault_table.hpp"
#include "tests/redis/fault_trial.hpp"
#include "tests/redis/filter_under_fault.hpp"
#include "tests/redis/rotating_trial.hpp"
#include "tests/redis/server_faults.hpp"
#include "tests/redis/shifted_clock.hpp"
#include "variants/redis/redis_bitmap.hpp"

namespace bloometry::test {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

/// A server with a rotating filter whose members are in four generations, and a client that causes
/// faults. The window is a day, and the clock of the server can be set.
struct RotatingSubject {
  using Filter = RotatingInRedis;
  static constexpr const char* kName = FilterUnderFault::kName;
  static constexpr const char* kParameters = FilterUnderFault::kParameters;
  static constexpr std::size_t kFilledGenerations = 4;

  explicit RotatingSubject(std::vector<std::string> options = {})
      : process(std::move(options), clock.launcher()),
        mine(std::make_shared<RedisServer>(process.url(), RedisTimeouts{}, kQuickRetries)) {
    fill();
  }

  [[nodiscard]] static Filter open(const RedisUrl& url, const RedisTimeouts& timeouts = {},
                                   const RetryPolicy& retry = kOnce) {
    return opened_rotating(std::make_shared<RedisServer>(url, timeouts, retry));
  }

  static void insert(Filter& filter, const std::vector<KeyView>& keys) {
    static_cast<void>(filter.query_and_insert(keys));
  }

  [[nodiscard]] static std::vector<std::vector<std::string>> edits() {
    return {{"HSET", kParameters, "num_hashes", "6"}, {"HSET", kParameters, "num_bits", "19999"},
            {"HSET", kParameters, "seed", "8"},       {"HSET", kParameters, "version", "other"},
            {"HSET", kParameters, "extra", "1"},      {"HSET", kParameters, "updates", "-5"},
            {"HDEL", kParameters, "updates"},         {"HDEL", kParameters, "num_bits"},
            {"HSET", kParameters, "created", ""},     {"HSET", kParameters, "created", "1:1"},
            {"HDEL", kParameters, "created"},         {"HDEL", kParameters, "state_checksum"},
            {"HSET", kParameters, "window_ms", "50"}, {"HSET", kParameters, "generations", "4"}};
  }

  [[nodiscard]] const std::vector<std::string>& members() const { return members_; }

  /// Returns the keys of the strings of the live generations.
  [[nodiscard]] std::vector<std::string> string_keys() {
    Filter filter = opened_rotating(mine);
    std::vector<std::string> keys;
    for (const LiveGeneration& live : filter.live_generations()) {
      const std::uint64_t slot = filter.location().parameters.slot_of(live.generation.number);
      keys.push_back(generation_key(kName, slot));
    }
    return keys;
  }

  /// Returns the key of each of the strings in turn.
  [[nodiscard]] std::string string_key() {
    const std::vector<std::string> keys = string_keys();
    return keys[next_string_++ % keys.size()];
  }

  /// Returns whether the server has the parameters and a string for each filled generation.
  [[nodiscard]] bool is_whole() {
    if (read_fields(*mine, kParameters).empty()) return false;
    RedisCommands command;
    command.begin(9).argument("EXISTS");
    for (std::uint64_t slot = 0; slot < 8; ++slot) command.argument(generation_key(kName, slot));
    return mine->command("", command).view().integer() ==
           static_cast<std::int64_t>(kFilledGenerations);
  }

  void load_again() {
    create_rotating_in_redis(*mine, "other",
                             rotating_with_xxh3({.window = hours(1), .capacity = 9}));
  }

  /// Creates the filter and inserts the members. The trial does not reopen the filter meanwhile,
  /// because it would truly be without the members.
  void load_anew(FaultTrial& trial) {
    trial.set_reopens(false);
    drop_rotating_from_redis(*mine, kName);
    fill();
    trial.set_reopens(true);
  }

  /// Inserts the members again, all into the newest generation.
  void insert_members() {
    Filter filter = opened_rotating(mine);
    insert(filter, {members_.begin(), members_.end()});
  }

  ShiftedClock clock;
  RedisProcess process;
  std::shared_ptr<RedisServer> mine;

 private:
  void fill() {
    Filter filter = created_rotating(mine, {.window = hours(24), .capacity = 100'000}, kName);
    const std::size_t num_keys = members_.size() / kFilledGenerations;
    for (std::size_t first = 0; first < members_.size(); first += num_keys) {
      if (first > 0) clock.advance(filter.location().parameters.generation_time());
      const auto begin = members_.begin() + static_cast<std::ptrdiff_t>(first);
      insert(filter, {begin, begin + static_cast<std::ptrdiff_t>(num_keys)});
    }
  }

  std::vector<std::string> members_ = keys_named("member-", 1000);
  std::size_t next_string_ = 0;
};

using Subject = RotatingSubject;

/// Damages the string of one generation after another.
/// @param is_deleted whether the string is deleted, or becomes too short
FaultTally damaged_generation(const TrialSize& size, bool is_deleted) {
  Subject subject;
  FaultTrial trial(size, subject.members(), Subject::open(subject.process.url()));
  trial.run([&] {
    trial.wait_randomly();
    const std::string key = subject.string_key();
    if (is_deleted) {
      redis(*subject.mine, "DEL", key);
    } else {
      redis(*subject.mine, "SET", key, "short");
    }
    trial.wait_for_calls();
    subject.load_anew(trial);
    trial.wait_for_calls();
  });
  return trial.tally();
}

/// Sets the clock back by an hour and forward again, and inserts keys at each time.
FaultTally clock_set_back(const TrialSize& size) {
  Subject subject;
  FaultTrial trial(size, subject.members(), Subject::open(subject.process.url()));
  LateKeys<Subject> late(subject.process.url());
  trial.run([&] {
    for (const int num_hours : {-1, 1}) {
      late.add();
      trial.wait_randomly();
      subject.clock.advance(hours(num_hours));
      late.query_members();
      late.add();
      late.query_members();
      trial.wait_for_calls();
    }
  });
  return FaultTally(trial.tally()) += late.tally();
}

/// Sets the clock forward, by more than a generation at last, while the members are inserted again.
/// Members are queried in all phases of their window.
FaultTally generations_forgotten(const TrialSize& size) {
  Subject subject;
  FaultTrial trial(size, subject.members(), Subject::open(subject.process.url()));
  trial.run([&] {
    subject.insert_members();
    for (const int num_minutes : {60, 3, 600, 17, 700, 59}) {  // just less than a day
      subject.clock.advance(std::chrono::minutes(num_minutes));
      trial.wait_for_calls();
    }
  });
  return trial.tally();
}

/// Another client inserts and queries during the trial, as a second service does.
FaultTally second_service(const TrialSize& size) {
  Subject subject;
  FaultTrial trial(size, subject.members(), Subject::open(subject.process.url()));
  LateKeys<Subject> late(subject.process.url());
  trial.run([&] {
    for (int i = 0; i < 10; ++i) {
      late.add();
      late.query_members();
    }
    trial.wait_for_calls();
  });
  return FaultTally(trial.tally()) += late.tally();
}

std::vector<Fault> all_faults() {
  using enum RedisFailure;
  return {
      {"killed, restarted empty, filled", killed_and_empty<Subject>, {kUnreachable, kMissing}},
      {"killed, restarted, append-only file",
       killed_with_append_only_file<Subject>,
       {kUnreachable}},
      {"restarted from an old snapshot", restarted_from_old_snapshot<Subject>, {kChanged}},
      {"memory full, noeviction", memory_full<Subject>, {}, true, false},
      {"evicted, allkeys-random",
       [](const TrialSize& size) { return evicted<Subject>(size, "allkeys-random"); },
       {kMissing}},
      {"evicted, volatile-ttl",
       [](const TrialSize& size) { return evicted<Subject>(size, "volatile-ttl"); },
       {kMissing}},
      {"one generation deleted",
       [](const TrialSize& size) { return damaged_generation(size, true); },
       {kMissing}},
      {"one generation too short",
       [](const TrialSize& size) { return damaged_generation(size, false); },
       {kChanged}},
      {"connection cut, 4 attempts",
       [](const TrialSize& size) { return connection_cut<Subject>(size, kQuickRetries); },
       {}},
      {"connection cut, 1 attempt",
       [](const TrialSize& size) { return connection_cut<Subject>(size, kOnce); },
       {kUnreachable}},
      {"SIGSTOP 300 ms, deadline 100 ms", stopped<Subject>, {kUnreachable}},
      {"DEBUG SLEEP 300 ms, deadline 100 ms", asleep<Subject>, {kUnreachable}},
      {"wrong type at a generation",
       [](const TrialSize& size) { return wrong_type<Subject>(size, false); },
       {kRefused}},
      {"wrong type at the parameters",
       [](const TrialSize& size) { return wrong_type<Subject>(size, true); },
       {kRefused}},
      {"parameters edited by hand", edited_parameters<Subject>, {kChanged}},
      {"FLUSHALL", flushed<Subject>, {kMissing}},
      {"clock set back by an hour, and forward", clock_set_back, {}, true, false},
      {"generations forgotten", generations_forgotten, {}, true, false},
      {"inserts of a second service", second_service, {}, true, false},
  };
}

}  // namespace
}  // namespace bloometry::test

int main(int argc, char** argv) {
  using namespace bloometry::test;
  return run_faults(all_faults(), argc > 1 ? argv[1] : nullptr) ? 0 : 1;
}
