#include "experiments/bench/run_bench.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"

using namespace bloometry::bench;

namespace {

constexpr std::uint64_t kNumKeys = 20'000;

/// The calls of a run to its targets, in order.
struct Log {
  struct Block {
    std::string target;
    char action;  // i insert, q query, e erase
    Call call;
    std::vector<std::uint64_t> keys;
  };

  std::mutex mutex;  // targets may be called by several threads
  std::vector<Block> blocks;
};

/// A target that stores its keys exactly and logs its calls.
class LoggingTarget final : public BenchmarkTarget {
 public:
  LoggingTarget(std::string name, Log& log) : name_(std::move(name)), log_(log) {}

  void insert(IntegerKeys keys, Call call) override {
    write('i', keys, call);
    const std::lock_guard lock(log_.mutex);
    members_.insert(keys.begin(), keys.end());
  }

  std::uint64_t count_positives(IntegerKeys keys, Call call) override {
    write('q', keys, call);
    return static_cast<std::uint64_t>(std::count_if(
        keys.begin(), keys.end(), [&](std::uint64_t key) { return members_.contains(key); }));
  }

  std::uint64_t erase(IntegerKeys keys, Call call) override {
    write('e', keys, call);
    std::uint64_t num_erased = 0;
    for (const std::uint64_t key : keys) num_erased += members_.erase(key);
    return num_erased;
  }

  void insert(StringKeys, Call) override {}

  std::uint64_t count_positives(StringKeys, Call) override { return 0; }

  std::uint64_t erase(StringKeys, Call) override { return 0; }

  void clear() override { members_.clear(); }

  [[nodiscard]] std::uint64_t num_bits() const override { return 4096; }

 private:
  void write(char action, IntegerKeys keys, Call call) {
    const std::lock_guard lock(log_.mutex);
    log_.blocks.push_back({name_, action, call, {keys.begin(), keys.end()}});
  }

  std::string name_;
  Log& log_;
  std::set<std::uint64_t> members_;
};

BenchPlan logging_plan(Log& log, bool has_batch = true) {
  BenchPlan plan{.settings = {.num_keys = {kNumKeys}, .num_repetitions = 2, .num_queries = 8'000},
                 .ops = {kAllOps.begin(), kAllOps.end()},
                 .cases = {{.num_keys = kNumKeys, .plans = {}, .refused = {}}}};
  for (const std::string name : {"a", "b", "c"}) {
    TargetPlan target{.name = name, .num_bits = 4096, .can_erase = true, .has_batch = has_batch};
    target.build = [name, &log] { return std::make_unique<LoggingTarget>(name, log); };
    plan.cases.front().plans.push_back(target);
  }
  return plan;
}

const BenchObserver kUnobserved = {.progress = [](const BenchProgress&) {},
                                   .repetition = [](const BenchResult&) {}};

BenchResult run(const BenchPlan& plan, const std::vector<CaseResult>& kept = {}) {
  const std::atomic<bool> interrupted = false;
  return run_bench(plan, kept, interrupted, kUnobserved);
}

}  // namespace

TEST_CASE("bench run: every figure has a time and a floor per repetition", "[bench]") {
  Log log;
  const BenchResult result = run(logging_plan(log));
  REQUIRE(result.cases.size() == 1);
  CHECK_FALSE(result.was_interrupted);
  for (const TargetResult& target : result.cases.front().targets) {
    CHECK(target.ns_per_key.size() == kAllOps.size() * kAllCalls.size());
    for (const auto& [figure, repetitions] : target.ns_per_key) {
      CHECK(repetitions.size() == 2);
      CHECK(*std::min_element(repetitions.begin(), repetitions.end()) > 0);
      CHECK(target.floor(figure.op, figure.call).size() == 2);
    }
    // 2 repetitions, 2 builds, single and batch calls; each with 5000 queries after 1250 queries to
    // warm up.
    CHECK(target.num_absent_queries == 2 * 2 * 2 * 6'250);
    CHECK(target.num_false_positives == 0);
    CHECK(target.num_false_negatives == 0);
    CHECK(target.num_refused_erases == 0);
  }
}

TEST_CASE("bench run: all targets get the same keys, and no key is repeated", "[bench]") {
  Log log;
  static_cast<void>(run(logging_plan(log)));
  std::map<std::pair<std::string, char>, std::vector<std::uint64_t>> keys;
  for (const Log::Block& block : log.blocks) {
    auto& all = keys[{block.target, block.action}];
    all.insert(all.end(), block.keys.begin(), block.keys.end());
  }
  for (const char action : {'i', 'q', 'e'}) {
    const auto& first = keys[{"a", action}];
    CHECK(keys[{"b", action}] == first);
    CHECK(keys[{"c", action}] == first);
    CHECK(std::set(first.begin(), first.end()).size() == first.size());
  }
  CHECK(keys[{"a", 'i'}].size() == 4 * kNumKeys);
  CHECK(keys[{"a", 'e'}].size() == 4 * kNumKeys);
  CHECK(keys[{"a", 'q'}].size() == 4 * 6 * 6'250);
}

TEST_CASE("bench run: keys are those of the case's source, members before absent keys", "[bench]") {
  Log log;
  BenchPlan plan = logging_plan(log);
  plan.cases.front().keys = "strided";
  const BenchResult result = run(plan);
  CHECK(result.cases.front().keys == "strided");
  std::uint64_t num_inserted = 0;
  for (const Log::Block& block : log.blocks) {
    const bool follows = std::all_of(block.keys.begin(), block.keys.end(),
                                     [](std::uint64_t key) { return key % (1U << 16U) == 0; });
    CHECK(follows);
    if (block.target != "a" || block.action != 'i' || num_inserted >= kNumKeys) continue;
    for (const std::uint64_t key : block.keys) CHECK(key == num_inserted++ << 16U);
  }
  CHECK(num_inserted == kNumKeys);
}

TEST_CASE("bench run: targets alternate, and each pass starts with another one", "[bench]") {
  Log log;
  static_cast<void>(run(logging_plan(log)));
  std::vector<std::string> order;
  for (const Log::Block& block : log.blocks) {
    if (order.empty() || order.back() != block.target) order.push_back(block.target);
  }
  // The order is a b c in the first pass and b c a in the second. The list contains b only once at
  // the boundary of the passes.
  REQUIRE(order.size() > 6);
  CHECK(std::vector(order.begin(), order.begin() + 6) ==
        std::vector<std::string>{"a", "b", "c", "b", "c", "a"});
}

TEST_CASE("bench run: each build starts with another target", "[bench]") {
  Log log;
  static_cast<void>(run(logging_plan(log)));
  std::string first;
  char before = 'e';
  for (const Log::Block& block : log.blocks) {
    if (before == 'e' && block.action == 'i') first += block.target;
    before = block.action;
  }
  CHECK(first == "abca");
}

TEST_CASE("bench run: inserts alternate between single and batch calls, and so does the first call",
          "[bench]") {
  Log log;
  static_cast<void>(run(logging_plan(log)));
  std::vector<Call> calls;
  for (const Log::Block& block : log.blocks) {
    if (block.target == "a" && block.action == 'i') calls.push_back(block.call);
  }
  // Each of 4 builds inserts 20,000 keys in 5 blocks.
  REQUIRE(calls.size() == 20);
  for (std::size_t build = 0; build < 4; ++build) {
    for (std::size_t i = 0; i < 5; ++i) {
      CHECK(calls[5 * build + i] == ((build + i) % 2 == 0 ? Call::kSingle : Call::kBatch));
    }
  }
}

TEST_CASE("bench run: a target without batch calls has no batch figures", "[bench]") {
  Log log;
  const BenchResult result = run(logging_plan(log, false));
  for (const Log::Block& block : log.blocks) CHECK(block.call == Call::kSingle);
  CHECK(result.cases.front().targets.front().ns_per_key.size() == kAllOps.size());
}

TEST_CASE("bench run: kept repetitions are not repeated, and the others are as in a whole run",
          "[bench]") {
  Log whole_log;
  const BenchResult whole = run(logging_plan(whole_log));
  Log first_log;
  BenchPlan first_plan = logging_plan(first_log);
  first_plan.settings.num_repetitions = 1;
  const BenchResult first = run(first_plan);
  Log rest_log;
  const BenchResult both = run(logging_plan(rest_log), first.cases);

  REQUIRE(first_log.blocks.size() + rest_log.blocks.size() == whole_log.blocks.size());
  for (std::size_t i = 0; i < whole_log.blocks.size(); ++i) {
    const Log::Block& block = i < first_log.blocks.size()
                                  ? first_log.blocks[i]
                                  : rest_log.blocks[i - first_log.blocks.size()];
    REQUIRE(block.keys == whole_log.blocks[i].keys);
    REQUIRE(block.target == whole_log.blocks[i].target);
    REQUIRE(block.call == whole_log.blocks[i].call);
  }
  const TargetResult& target = both.cases.front().targets.front();
  CHECK(target.num_absent_queries == whole.cases.front().targets.front().num_absent_queries);
  for (const auto& [figure, repetitions] : target.ns_per_key) {
    REQUIRE(repetitions.size() == 2);
    CHECK(repetitions.front() == first.cases.front().targets.front().ns_per_key.at(figure).front());
  }
  Log none;
  CHECK(run(logging_plan(none), both.cases).cases.front().num_repetitions == 2);
  CHECK(none.blocks.empty());
}

TEST_CASE("bench run: an interrupt keeps the complete repetitions", "[bench]") {
  Log log;
  std::atomic<bool> interrupted = false;
  std::uint64_t num_told = 0;
  const BenchObserver observer = {.progress = [](const BenchProgress&) {},
                                  .repetition =
                                      [&](const BenchResult& result) {
                                        num_told += result.cases.front().num_repetitions;
                                        interrupted = true;
                                      }};
  const BenchResult result = run_bench(logging_plan(log), {}, interrupted, observer);
  CHECK(num_told == 1);
  CHECK(result.was_interrupted);
  REQUIRE(result.cases.size() == 1);
  CHECK(result.cases.front().num_repetitions == 1);
  for (const TargetResult& target : result.cases.front().targets) {
    CHECK(target.num_absent_queries == 2 * 2 * 6'250);
    for (const auto& [figure, repetitions] : target.ns_per_key) CHECK(repetitions.size() == 1);
  }
}

TEST_CASE("bench run: threads query and fill one filter together, each with its own keys",
          "[bench]") {
  Log log;
  BenchPlan plan = logging_plan(log);
  plan.settings.threads = {1, 3};
  for (TargetPlan& target : plan.cases.front().plans) {
    target.is_concurrent = target.name == "b";
  }
  const BenchResult result = run(plan);
  // The 8,000 queries need 4 builds of at most 20,000 / 8 = 2,500 queries each. Each of three
  // threads queries 832 keys, which is a third of 2,500 rounded down to an even number.
  CHECK(result.cases.front().builds.num_queries == 2'500);
  CHECK(result.cases.front().builds.num_builds == 4);
  for (const TargetResult& target : result.cases.front().targets) {
    INFO(target.plan.name);
    for (const Call call : kAllCalls) {
      CHECK(target.ns_per_key.at({Op::kNegative, call, 3}).size() == 2);
      CHECK(target.ns_per_key.contains({Op::kInsert, call, 3}) == (target.plan.name == "b"));
      CHECK_FALSE(target.ns_per_key.contains({Op::kErase, call, 3}));
    }
    CHECK(target.num_false_negatives == 0);
    // 2 repetitions, 4 builds, single and batch calls. One thread makes 2,500 queries after 625 to
    // warm up. Three threads make 3 * 832 queries after 3 * 208 to warm up.
    CHECK(target.num_absent_queries == 2 * 4 * 2 * (2'500 + 625 + 2'496 + 624));
  }
  std::map<std::string, std::uint64_t> num_inserted;
  std::set<std::uint64_t> queried;
  std::uint64_t num_queries = 0;
  for (const Log::Block& block : log.blocks) {
    if (block.action == 'i') num_inserted[block.target] += block.keys.size();
    if (block.action != 'q' || block.target != "a") continue;
    queried.insert(block.keys.begin(), block.keys.end());
    num_queries += block.keys.size();
  }
  CHECK(num_inserted["a"] == 8 * kNumKeys);
  CHECK(num_inserted["b"] == 2 * 8 * kNumKeys);
  CHECK(queried.size() == num_queries);
}

TEST_CASE("bench run: the time estimate excludes kept results", "[bench]") {
  Log log;
  const BenchPlan plan = logging_plan(log);
  const std::atomic<bool> interrupted = false;
  CHECK(estimate_seconds(plan, {}, interrupted) > 0);
  CHECK(estimate_seconds(plan, run(plan).cases, interrupted) == 0);
}

TEST_CASE("bench run: an interrupt ends a run within a block", "[bench]") {
  Log log;
  const std::atomic<bool> interrupted = true;
  const BenchResult result = run_bench(logging_plan(log), {}, interrupted, kUnobserved);
  CHECK(result.was_interrupted);
  CHECK(result.cases.empty());
  CHECK(log.blocks.empty());
}

TEST_CASE("bench run: progress ends with all planned steps and keys", "[bench]") {
  Log log;
  BenchProgress last;
  const std::atomic<bool> interrupted = false;
  BenchObserver observer = kUnobserved;
  observer.progress = [&](const BenchProgress& progress) { last = progress; };
  static_cast<void>(run_bench(logging_plan(log), {}, interrupted, observer));
  CHECK(last.num_steps == 6);
  CHECK(last.num_steps_done == 6);
  CHECK(last.num_keys == last.num_keys_planned);
}
