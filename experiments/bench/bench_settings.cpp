#include "experiments/bench/bench_settings.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <functional>
#include <iterator>
#include <span>
#include <string_view>

#include "core/contract/params.hpp"
#include "core/error.hpp"
#include "core/statistics/seed_sequence.hpp"
#include "core/text.hpp"

namespace bloometry::bench {
namespace {

constexpr std::uint64_t kMostRepetitions = 1'000;
constexpr std::uint64_t kFewestQueries = 1'000;
constexpr std::uint64_t kMostQueries = 1'000'000'000;

[[noreturn]] void refuse(std::string_view field, std::string_view allowed, std::string_view got) {
  throw ConfigError(std::string(field), fmt::format("must be {}, got {}", allowed, got));
}

void require_within(std::string_view field, std::uint64_t value, std::uint64_t least,
                    std::uint64_t most) {
  if (value >= least && value <= most) return;
  refuse(field, fmt::format("in [{}, {}]", least, most), std::to_string(value));
}

/// Returns the named items of `all` in the order of `all`, or all items if the list of names is
/// empty.
template <class Item, class NameOf>
std::vector<Item> chosen(std::string_view field, std::span<const Item> all,
                         const std::vector<std::string>& names, NameOf name_of_item) {
  for (const std::string& name : names) {
    if (std::any_of(all.begin(), all.end(),
                    [&](const Item& item) { return name_of_item(item) == name; }))
      continue;
    refuse(field, "one of " + joined(all, name_of_item), fmt::format("'{}'", name));
  }
  std::vector<Item> items;
  std::copy_if(all.begin(), all.end(), std::back_inserter(items), [&](const Item& item) {
    return names.empty() ||
           std::find(names.begin(), names.end(), name_of_item(item)) != names.end();
  });
  return items;
}

/// Checks the numbers of threads. Times of threads that share a core are not valid.
/// @return the largest requested number of threads that can be measured, at least 1.
unsigned check_threads(const BenchSettings& settings, unsigned num_cpus,
                       ProblemCollector& problems) {
  unsigned most = 1;
  for (const unsigned num_threads : settings.threads) {
    problems.collect([&] {
      if (num_threads < 1 || num_threads > num_cpus) {
        refuse("threads", fmt::format("in [1, {}], the number of usable cores", num_cpus),
               std::to_string(num_threads));
      }
      most = std::max(most, num_threads);
    });
  }
  return most;
}

void check_numbers(const BenchSettings& settings, unsigned num_cpus, ProblemCollector& problems) {
  const auto within = [&](std::string_view field, std::uint64_t value, std::uint64_t least,
                          std::uint64_t most) {
    problems.collect([&] { require_within(field, value, least, most); });
  };
  problems.collect([&] {
    if (settings.num_keys.empty()) refuse("num_keys", "at least one number of keys", "none");
  });
  // A thread with fewer than kFewestKeys keys would mostly wait for the other threads.
  const std::uint64_t num_threads = check_threads(settings, num_cpus, problems);
  for (const std::uint64_t n : settings.num_keys) {
    within("num_keys", n, kFewestKeys * num_threads, kMostKeys);
  }
  problems.collect([&] {
    if (settings.rate > 0 && settings.rate < 1) return;
    refuse("rate", "in (0, 1)", to_string(ParamValue(settings.rate)));
  });
  within("num_repetitions", settings.num_repetitions, 1, kMostRepetitions);
  within("num_queries", settings.num_queries, kFewestQueries * num_threads, kMostQueries);
  if (settings.initial_capacity) {
    within("initial_capacity", *settings.initial_capacity, 1, kMostKeys);
  }
}

/// Returns the hash with the given name, or the default hash if the name is empty.
std::string resolved_hash(const std::string& name) {
  const std::vector<std::string_view> hashes = bench_hashes();
  if (name.empty()) return std::string(hashes.front());
  return std::string(
      chosen("hash", std::span<const std::string_view>(hashes), {name}, [](std::string_view hash) {
        return hash;
      }).front());
}

/// Returns the numbers without duplicates, because each number is measured once.
template <class Number>
std::vector<Number> distinct(const std::vector<Number>& numbers) {
  std::vector<Number> found;
  for (const Number number : numbers) {
    if (std::find(found.begin(), found.end(), number) == found.end()) found.push_back(number);
  }
  return found;
}

/// Returns 1 and the requested numbers of threads in ascending order.
std::vector<unsigned> resolved_threads(std::vector<unsigned> threads) {
  threads.push_back(1);
  std::sort(threads.begin(), threads.end());
  return distinct(threads);
}

/// Returns the kinds of targets that the plan's settings select.
std::vector<TargetKind> chosen_targets(const BenchPlan& plan, std::span<const TargetKind> targets) {
  const auto name = [](const TargetKind& kind) -> std::string_view { return kind.name; };
  std::vector<TargetKind> kinds = chosen("variants", targets, plan.settings.targets, name);
  if (plan.settings.targets.empty() && plan.settings.threads.size() == 1) {
    std::erase_if(kinds, [](const TargetKind& kind) { return kind.is_concurrent; });
  }
  return kinds;
}

/// Rejects a plan whose only operation is erase if none of its filters can erase. The run of such a
/// plan would fill filters for hours and print an empty table.
void require_figures(const BenchPlan& plan) {
  if (plan.ops != std::vector<Op>{Op::kErase}) return;
  for (const BenchCase& bench_case : plan.cases) {
    if (std::any_of(bench_case.plans.begin(), bench_case.plans.end(),
                    [](const TargetPlan& target) { return target.can_erase; }))
      return;
  }
  refuse("ops", "one of insert, negative, mix, positive if none of the variants can erase",
         fmt::format("'{}'", name_of(Op::kErase)));
}

BenchCase make_case(const BenchSettings& settings, std::span<const TargetKind> kinds,
                    std::uint64_t num_keys, const std::string& keys) {
  BenchCase bench_case{.num_keys = num_keys, .keys = keys, .plans = {}, .refused = {}};
  for (const TargetKind& kind : kinds) {
    TargetPlan plan = kind.plan({.num_keys = num_keys,
                                 .rate = settings.rate,
                                 .keys = kind_of(keys),
                                 .hash = settings.hash,
                                 .seed = SeedSequence(settings.seed).seed("hash", "bench", 0),
                                 .initial_capacity = settings.initial_capacity});
    (plan.refusal.empty() ? bench_case.plans : bench_case.refused).push_back(std::move(plan));
  }
  return bench_case;
}

void require_fit(const BenchCase& bench_case, std::uint64_t memory_bytes) {
  // A fifth of the memory is left for other programs, whose memory use is unknown.
  const std::uint64_t budget = memory_bytes / 5 * 4;
  const std::uint64_t needed = memory_bytes_of(bench_case);
  if (memory_bytes == 0 || needed <= budget) return;
  refuse("num_keys", fmt::format("small enough for {} bytes (four fifths of the memory)", budget),
         fmt::format("{}, which needs {}; use fewer variants or a smaller n", bench_case.num_keys,
                     needed));
}

}  // namespace

std::uint64_t memory_bytes_of(const BenchCase& bench_case) noexcept {
  std::uint64_t sum = 0;
  std::uint64_t largest = 0;
  for (const TargetPlan& plan : bench_case.plans) {
    sum += plan.num_bits / 8;
    largest = std::max(largest, plan.num_bits / 8);
  }
  return sum + largest;
}

BenchPlan make_bench_plan(const BenchSettings& settings, std::span<const TargetKind> targets,
                          const BenchLimits& limits) {
  ProblemCollector problems;
  check_numbers(settings, limits.num_cpus, problems);
  BenchPlan plan{.settings = settings, .ops = {}, .cases = {}};
  plan.settings.num_keys = distinct(settings.num_keys);
  plan.settings.threads = resolved_threads(settings.threads);
  std::vector<std::string> keys;
  std::vector<TargetKind> kinds;
  const auto name = [](const auto& item) { return name_of(item); };
  problems.collect([&] { plan.settings.hash = resolved_hash(settings.hash); });
  problems.collect(
      [&] { plan.ops = chosen("ops", std::span<const Op>(kAllOps), settings.ops, name); });
  problems.collect([&] {
    const std::vector<std::string> all = all_bench_keys();
    keys = chosen("keys", std::span<const std::string>(all), settings.keys, std::identity{});
  });
  problems.collect([&] { kinds = chosen_targets(plan, targets); });
  problems.throw_if_any();
  for (const std::string& source : keys) {
    for (const std::uint64_t n : plan.settings.num_keys) {
      plan.cases.push_back(make_case(plan.settings, kinds, n, source));
      require_fit(plan.cases.back(), limits.memory_bytes);
    }
  }
  require_figures(plan);
  return plan;
}

}  // namespace bloometry::bench
