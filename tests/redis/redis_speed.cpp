// Measures the time per key to fill and query filters in Redis by every method, and to query and
// insert keys in a rotating filter. The program starts its own servers.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/any_filter/filter_file.hpp"
#include "core/any_filter/keyed.hpp"
#include "core/redis/connect_redis.hpp"
#include "tests/redis/redis_process.hpp"
#include "tests/redis/rotating_trial.hpp"
#include "tests/redis/shifted_clock.hpp"
#include "variants/blocked/blocked_filter.hpp"
#include "variants/redis/redis_filter.hpp"
#include "variants/redis/redis_load.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry {
namespace {

constexpr unsigned kNumHashes = 7;
constexpr double kBitsPerKey = 10;

/// The times of each method in several rounds, in seconds per key.
class Table {
 public:
  void time(const std::string& way, std::size_t num_keys, const std::function<void()>& run) {
    const auto start = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (!seconds_.contains(way)) order_.push_back(way);
    seconds_[way].push_back(taken.count() / static_cast<double>(num_keys));
  }

  /// Prints the median of each method and its ratio to the median of the first method.
  void print(const char* title) {
    std::printf("\n%s\n%-46s %12s %8s\n", title, "", "us per key", "ratio");
    const double first = median(order_.front());
    for (const std::string& way : order_) {
      std::printf("%-46s %12.3f %8.2f\n", way.c_str(), 1e6 * median(way), median(way) / first);
    }
  }

 private:
  double median(const std::string& way) {
    std::vector<double>& all = seconds_[way];
    std::sort(all.begin(), all.end());
    return all[all.size() / 2];
  }

  std::vector<std::string> order_;
  std::map<std::string, std::vector<double>> seconds_;
};

std::vector<std::string> keys_of(std::size_t first, std::size_t num_keys) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < num_keys; ++i) {
    keys.push_back("https://shop.example/item/" + std::to_string(first + i));
  }
  return keys;
}

template <class F>
class Subject {
 public:
  Subject(std::shared_ptr<RedisClient> client, std::size_t num_keys)
      : client_(std::move(client)), members_(keys_of(0, num_keys)), filter_(spec(num_keys)) {
    views_.assign(members_.begin(), members_.end());
  }

  /// Inserts all keys into a local filter, and then loads the whole filter into Redis.
  void load() {
    filter_.clear();
    filter_.insert(views_);
    load_into_redis(*client_, name(), image_of(filter_));
  }

  void create_empty() {
    const Keyed<F> empty(spec(members_.size()));
    load_into_redis(*client_, name(), image_of(empty));
  }

  /// Sends SETBIT for each bit, with `per_trip` commands per round trip.
  void set_bits(std::size_t num_keys, std::size_t per_trip) {
    const RedisLocation location = find_in_redis(*client_, name());
    const BitOffsets offsets(location.parameters, hash_call(filter_.hasher()));
    std::vector<std::uint64_t> bits(num_keys * kNumHashes);
    offsets.write(std::span(views_).first(num_keys), bits);
    for (std::size_t first = 0; first < bits.size(); first += per_trip) {
      RedisCommands commands;
      for (std::size_t i = first; i < std::min(first + per_trip, bits.size()); ++i) {
        commands.add("SETBIT", name(), bits[i], 1);
      }
      static_cast<void>(client_->run(name(), commands));
    }
  }

  void insert(std::size_t num_keys, std::size_t batch_keys) {
    RedisFilter there(client_, find_in_redis(*client_, name()), hash_call(filter_.hasher()),
                      {.batch_keys = batch_keys});
    there.insert(std::span(views_).first(num_keys));
  }

  void query(std::size_t num_keys, ReadMethod method, std::size_t batch_keys) {
    RedisFilter there(client_, find_in_redis(*client_, name()), hash_call(filter_.hasher()),
                      {.method = method, .batch_keys = batch_keys});
    const auto answers = there.query(std::span(views_).first(num_keys));
    if (std::find(answers.begin(), answers.end(), Presence::kAbsent) != answers.end()) {
      std::fputs("a member is absent\n", stderr);
      std::exit(1);
    }
  }

  /// Sends GETBIT for each bit of members, one command per round trip, as programs without stored
  /// parameters do.
  void get_bits(std::size_t num_keys) {
    const RedisLocation location = find_in_redis(*client_, name());
    const BitOffsets offsets(location.parameters, hash_call(filter_.hasher()));
    std::vector<std::uint64_t> bits(num_keys * kNumHashes);
    offsets.write(std::span(views_).first(num_keys), bits);
    for (const std::uint64_t bit : bits) {
      static_cast<void>(client_->command(name(), RedisCommands().add("GETBIT", name(), bit)));
    }
  }

  [[nodiscard]] static std::string name() { return std::string(F::kName); }

 private:
  static FilterSpec spec(std::size_t num_keys) {
    return {.num_bits = static_cast<std::uint64_t>(kBitsPerKey * static_cast<double>(num_keys)),
            .num_hashes = kNumHashes};
  }

  std::shared_ptr<RedisClient> client_;
  std::vector<std::string> members_;
  std::vector<KeyView> views_;
  Keyed<F> filter_;
};

const char* text_of(ReadMethod method) {
  return method == ReadMethod::kGetBit     ? "GETBIT pipelined"
         : method == ReadMethod::kBitField ? "BITFIELD_RO"
                                           : "GETRANGE of the block";
}

template <class F>
void compare_queries(Subject<F>& subject, std::size_t num_keys, unsigned num_rounds,
                     const std::vector<ReadMethod>& methods) {
  Table table;
  for (unsigned round = 0; round < num_rounds; ++round) {
    const std::size_t num_single = std::min<std::size_t>(num_keys, 2000);
    table.time("GETBIT one by one, no proof", num_single, [&] { subject.get_bits(num_single); });
    for (const ReadMethod method : methods) {
      for (const std::size_t batch : {1U, 10U, 100U, 1000U, 10000U}) {
        const std::size_t num_queries = std::min<std::size_t>(num_keys, batch * 1000);
        table.time(text_of(method) + std::string(", batches of ") + std::to_string(batch),
                   num_queries, [&] { subject.query(num_queries, method, batch); });
      }
    }
  }
  table.print(("members queried in a " + subject.name() + " filter").c_str());
}

/// Measures a rotating filter in batches of several sizes. Its 7 older generations are full. The
/// newest keys are those of the newest generation, which has room for all new keys of 3 rounds.
void time_rotating(std::size_t num_keys, unsigned num_rounds) {
  test::ShiftedClock clock;
  test::RedisProcess server({}, clock.launcher());
  const auto client = connect_redis(server.url());
  RotatingInRedis filter = test::created_rotating(
      client, {.window = std::chrono::hours(24), .generations = 8, .capacity = num_keys});
  const RotatingParameters& parameters = filter.location().parameters;
  const std::size_t per_generation = parameters.generation_capacity();
  const std::vector<std::string> members = keys_of(0, 7 * per_generation);
  const std::vector<KeyView> views(members.begin(), members.end());
  for (std::size_t i = 0; i < 7; ++i) {
    static_cast<void>(
        filter.query_and_insert(std::span(views).subspan(i * per_generation, per_generation)));
    clock.advance(parameters.generation_time());
  }
  Table table;
  std::size_t num_new = 7 * per_generation;
  for (unsigned round = 0; round < num_rounds; ++round) {
    for (const std::size_t batch : {1U, 10U, 100U, 1000U}) {
      const Xxh3Hasher hasher(0);
      RotatingInRedis there(client, find_rotating_in_redis(*client, "seen"), hash_call(hasher),
                            {.batch_keys = batch});
      const std::size_t num_timed = std::min<std::size_t>(batch * 1000, per_generation / 8);
      const std::string batches = ", batches of " + std::to_string(batch);
      const std::vector<std::string> fresh = keys_of(num_new, num_timed);
      num_new += num_timed;
      const std::vector<KeyView> fresh_views(fresh.begin(), fresh.end());
      table.time("query and insert, new keys" + batches, num_timed,
                 [&] { static_cast<void>(there.query_and_insert(fresh_views)); });
      table.time("query and insert, newest keys" + batches, num_timed,
                 [&] { static_cast<void>(there.query_and_insert(fresh_views)); });
      // The members are distributed evenly among the generations.
      std::vector<KeyView> spread;
      for (std::size_t i = 0; i < num_timed; ++i) {
        spread.push_back(views[i * 7919 % views.size()]);
      }
      table.time("query, members" + batches, num_timed,
                 [&] { static_cast<void>(there.query(spread)); });
    }
  }
  table.print("a rotating filter of 8 generations");
}

void run(std::size_t num_keys, unsigned num_rounds) {
  test::RedisProcess server;
  const auto client = connect_redis(server.url());
  Subject<StandardFilter> standard(client, num_keys);
  Subject<BlockedFilter> blocked(client, num_keys);

  Table fill;
  for (unsigned round = 0; round < num_rounds; ++round) {
    fill.time("insert here, load in one step", num_keys, [&] { standard.load(); });
    standard.create_empty();
    fill.time("SETBIT pipelined, 1,000 bits a trip", num_keys,
              [&] { standard.set_bits(num_keys, 1000); });
    standard.create_empty();
    const std::size_t num_single = std::min<std::size_t>(num_keys, 5000);
    fill.time("SETBIT one by one (5,000 keys)", num_single,
              [&] { standard.set_bits(num_single, 1); });
    for (const std::size_t batch : {1U, 10U, 100U, 1000U, 10000U}) {
      standard.create_empty();
      const std::size_t num_added = std::min<std::size_t>(num_keys, batch * 1000);
      fill.time("RedisFilter::insert, batches of " + std::to_string(batch), num_added,
                [&] { standard.insert(num_added, batch); });
    }
  }
  fill.print(("filling a standard filter, k = 7, " + std::to_string(num_keys) + " keys").c_str());

  standard.load();
  blocked.load();
  compare_queries(standard, num_keys, num_rounds, {ReadMethod::kGetBit, ReadMethod::kBitField});
  compare_queries(blocked, num_keys, num_rounds,
                  {ReadMethod::kGetBit, ReadMethod::kBitField, ReadMethod::kGetRange});
  time_rotating(num_keys, num_rounds);
}

constexpr const char* kHelp =
    R"(usage: bloometry_redis_speed [--help] [NUM_KEYS [NUM_ROUNDS]]

Measures the time per key of every method to fill and query a filter in Redis,
and of queries and inserts in a rotating filter, in batches of 1 to 10,000 keys
(1 to 1,000 in a rotating filter). Prints the medians of the rounds. Starts its
own servers, which listen on loopback.

  NUM_KEYS    keys of each filter, at least 100 (default 1000000)
  NUM_ROUNDS  interleaved rounds, at least 1 (default 3)
)";

}  // namespace
}  // namespace bloometry

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--help") {
    std::fputs(bloometry::kHelp, stdout);
    return 0;
  }
  const std::size_t num_keys = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  const unsigned num_rounds =
      argc > 2 ? static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)) : 3;
  bloometry::run(num_keys, num_rounds);
}
