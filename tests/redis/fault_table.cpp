#include "tests/redis/fault_table.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

namespace bloometry::test {
namespace {

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
  if (!fault.fails && tally.all_errors() > 0) return "ERRORS";
  if (tally.num_answered + tally.all_errors() != tally.num_queries) return "MISCOUNTED";
  return "ok";
}

bool run(const std::vector<Fault>& faults, const TrialSize& size) {
  std::printf("%-40s %9s %9s %11s %11s %11s %11s %12s\n", "fault", "queries", "answered",
              "unreachable", "refused", "missing", "changed", "wrong absent");
  FaultTally sum;
  bool is_good = true;
  for (const Fault& fault : faults) {
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

bool run_faults(const std::vector<Fault>& faults, const char* argument) {
  const bool is_long = argument != nullptr && std::string_view(argument) == "--long";
  const TrialSize size =
      is_long ? TrialSize{.num_rounds = 30,
                          .num_queries = 1'000'000,
                          .time_limit = std::chrono::seconds(600)}
              : TrialSize{
                    .num_rounds = 3, .num_queries = 3'000, .time_limit = std::chrono::seconds(30)};
  return run(faults, size);
}

}  // namespace bloometry::test
