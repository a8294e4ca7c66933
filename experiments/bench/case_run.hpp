#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "experiments/bench/bench_meter.hpp"
#include "experiments/bench/bench_result.hpp"
#include "experiments/bench/bench_settings.hpp"
#include "experiments/bench/floor.hpp"
#include "experiments/bench/key_block.hpp"
#include "experiments/bench/key_stream.hpp"
#include "experiments/bench/stopwatch.hpp"
#include "experiments/workload/integer_source.hpp"

namespace bloometry::bench {

/// Measures one case. The object owns all filters of the case and runs the passes over these
/// filters.
class CaseRun {
 public:
  /// Builds the filters of the case. Throws std::bad_alloc if there is not enough memory.
  CaseRun(const BenchPlan& plan, const BenchCase& bench_case, BenchMeter& meter);

  /// Returns the number of keys that all targets and the floor insert, query and erase in one
  /// repetition.
  [[nodiscard]] static std::uint64_t num_keys_of_repetition(const BenchPlan& plan,
                                                            const BenchCase& bench_case);

  /// Returns a result for the case without measurements.
  [[nodiscard]] static CaseResult empty_result(const BenchPlan& plan, const BenchCase& bench_case);

  /// Measures repetitions until the result has all repetitions of the plan. The result keeps its
  /// existing repetitions. The keys of existing repetitions are not used again.
  /// @param keep called after each repetition has been added to the result.
  /// @throws Interrupted if the run is interrupted; the result then contains all complete
  /// repetitions.
  void run(CaseResult& result, const std::function<void()>& keep);

  /// Runs one build and returns its time in seconds. The build multiplies every number of keys by
  /// `share`, but its filters have their full sizes.
  /// @param share in (0, 1]
  /// @throws Interrupted if the run is interrupted
  [[nodiscard]] double seconds_of_build(double share);

 private:
  /// The state of a target while its case runs.
  struct Entrant {
    std::unique_ptr<BenchmarkTarget> target;
    TargetResult result{};
    std::map<Figure, Tally> tallies{};
    std::array<Tally, kAllFloors.size()> floor_tallies{};
  };

  void skip(std::uint64_t num_repetitions);
  void run_build(std::uint64_t num_keys, std::uint64_t num_queries);
  template <class Visit>
  void each(Visit visit);
  [[nodiscard]] Call alternate(const Entrant& entrant, std::uint64_t block) const;
  template <class Write>
  void make_block(KeyBlock& block, std::uint64_t size, Write write) const;
  void fill(Entrant& entrant, NumberRange members);
  void fill(Entrant& entrant, NumberRange members, unsigned num_threads);
  void insert(Entrant& entrant, Call call, NumberRange keys);
  void query(Entrant& entrant, const QueryPass& pass, const MemberOrder& members);
  Tally query(Entrant& entrant, const Queries& queries, const MemberOrder& members);
  Tally query(Entrant& entrant, const Queries& queries, const MemberOrder& members,
              unsigned num_threads);
  void touch(Entrant& entrant, Floor floor, std::uint64_t num_queries);
  Tally touch_lines(const Entrant& entrant, Floor floor, std::uint64_t num_keys);
  void empty(Entrant& entrant, NumberRange range, const MemberOrder& members);

  const BenchPlan& plan_;
  const BenchCase& case_;
  BuildPlan builds_;
  std::vector<Op> query_ops_;
  IntegerSource keys_;
  std::vector<std::unique_ptr<KeyBlock>> blocks_;  // one per thread
  FloorArray floor_;
  BenchMeter& meter_;
  NumberSource numbers_;
  NumberSource floor_numbers_;  // separate, so that keys do not depend on the targets
  std::vector<Entrant> entrants_;
  std::uint64_t turn_ = 0;  // index of the first target of the next pass
  std::uint64_t num_builds_ = 0;
  std::uint64_t sum_of_lines_ = 0;
};

}  // namespace bloometry::bench
