#include "experiments/trial/checkpoint_engine.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "core/probe/all_probes.hpp"
#include "core/rates/rate_given_state.hpp"
#include "experiments/trial/checkpoint_index.hpp"
#include "experiments/trial/point_row.hpp"
#include "experiments/workload/member_sample.hpp"
#include "variants/registry/registry.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry {
namespace {

constexpr std::size_t kMinPoints = 4;  // with fewer points, one bit array per k is faster
constexpr std::uint64_t kMaxTableBytes = std::uint64_t{1} << 32U;

/// Returns the distinct values of a field of the points in ascending order.
template <class Field>
auto distinct_values(std::span<const Point> points, Field field) {
  std::vector<std::remove_cvref_t<std::invoke_result_t<Field, const Point&>>> values;
  values.reserve(points.size());
  for (const Point& point : points) values.push_back(std::invoke(field, point));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

HashCounts hash_counts_for(std::span<const Point> points) {
  return HashCounts(distinct_values(points, &Point::num_hashes));
}

std::uint64_t num_positions(const Unit& unit, const Point& point) {
  return StandardFilter::geometry(point_spec(unit, point)).num_cells;
}

/// Returns the number of checkpoints that one query pass covers.
std::size_t steps_per_group(const HashCounts& hash_counts, std::size_t num_checkpoints) {
  return std::min<std::size_t>(num_checkpoints, WordLayout::max_steps(hash_counts.size()));
}

WordLayout layout_for(const HashCounts& hash_counts, std::size_t num_checkpoints) {
  return {hash_counts.size(), static_cast<unsigned>(steps_per_group(hash_counts, num_checkpoints))};
}

/// The insert pass and the query passes over a table for one probe scheme. The function passes_of()
/// contains all code that depends on the scheme.
struct Passes {
  std::string_view probes;
  ProbeModel model;
  void (*insert)(CheckpointIndex& table, std::span<const Digest> digests, unsigned step);
  void (*count_found)(const CheckpointIndex& table, std::span<const Digest> digests,
                      std::uint64_t wanted, StepCounts& counts);
  void (*count_set_probes)(const CheckpointIndex& table, std::span<const Digest> digests,
                           unsigned num_steps, SetProbeCounts& counts);
  std::vector<Digest> (*not_in_all)(const CheckpointIndex& table, std::span<const Digest> digests,
                                    unsigned step);
};

template <ProbePolicy Probes>
constexpr Passes passes_of() {
  return {
      Probes::kName,
      Probes::kModel,
      [](CheckpointIndex& table, std::span<const Digest> digests, unsigned step) {
        table.insert<Probes>(digests, step);
      },
      [](const CheckpointIndex& table, std::span<const Digest> digests, std::uint64_t wanted,
         StepCounts& counts) { table.count_found<Probes>(digests, wanted, counts); },
      [](const CheckpointIndex& table, std::span<const Digest> digests, unsigned num_steps,
         SetProbeCounts& counts) { table.count_set_probes<Probes>(digests, num_steps, counts); },
      [](const CheckpointIndex& table, std::span<const Digest> digests, unsigned step) {
        return table.not_in_all<Probes>(digests, step);
      }};
}

template <class... Probes>
constexpr auto passes_of_all(std::type_identity<ProbeList<Probes...>>) {
  return std::array{passes_of<Probes>()...};
}

constexpr auto kPasses = passes_of_all(std::type_identity<StandardFilter::SupportedProbes>{});

const Passes& find_passes(std::string_view probes) {
  const auto* found = std::find_if(kPasses.begin(), kPasses.end(),
                                   [&](const Passes& passes) { return passes.probes == probes; });
  if (found == kPasses.end())
    throw ConfigError("the checkpoint index does not support the probes " + std::string(probes));
  return *found;
}

/// The measurement of the points of one unit with one table.
class CheckpointAnswer {
 public:
  CheckpointAnswer(UnitRun& run, std::span<const Point> points, BufferPool& pool)
      : run_(run),
        points_(points),
        passes_(find_passes(run.unit.probes)),
        hash_counts_(hash_counts_for(points)),
        checkpoints_(distinct_values(points, &Point::num_inserted)),
        num_positions_(num_positions(run.unit, points.front())),
        table_(num_positions_, hash_counts_, layout_for(hash_counts_, checkpoints_.size()), pool),
        rows_(points.size()) {}

  std::vector<TrialRow> rows() {
    members_ = shared_members(run_, checkpoints_.back());
    std::span<const std::uint64_t> left = checkpoints_;
    while (!left.empty()) {
      const std::size_t count = steps_per_group(hash_counts_, left.size());
      answer_group(left.first(count));
      left = left.subspan(count);
    }
    return std::move(rows_);
  }

 private:
  using Counts = std::vector<PointCounts>;

  void answer_group(std::span<const std::uint64_t> checkpoints) {
    group_ = checkpoints;
    if (num_inserted_ > 0) restart_steps();
    for (unsigned step = 0; step < checkpoints.size(); ++step) {
      insert_up_to(checkpoints[step], step);
      for (unsigned filter = 0; filter < hash_counts_.size(); ++filter) {
        ones_[step][filter] = table_.num_ones(filter);
      }
    }
    Counts counts(points_.size());
    run_queries(counts);
    count_probes(counts);
    query_members(counts);
    make_rows(std::move(counts));
  }

  void restart_steps() {
    const PhaseTimer timer(run_.timing.insert_s);
    table_.restart_steps();
  }

  void insert_up_to(std::uint64_t num_keys, unsigned step) {
    while (num_inserted_ < num_keys) {
      const std::uint64_t count =
          std::min(num_keys - num_inserted_, DigestCursor::kDigestsPerBlock);
      {
        const PhaseTimer timer(run_.timing.insert_s);
        passes_.insert(table_, std::span(*members_).subspan(num_inserted_, count), step);
      }
      num_inserted_ += count;
      run_.advance(count);
    }
  }

  /// Makes one pass over the queries. The pass stores the counts of a point as soon as it has
  /// processed the point's number of queries. The pass skips filters that only completed points
  /// need.
  void run_queries(Counts& counts) {
    const std::vector<std::size_t> by_queries = points_by_num_queries();
    const std::uint64_t num_queries = points_[by_queries.back()].num_queries;
    StepCounts found{};
    std::uint64_t num_queried = 0;
    std::size_t next = 0;  // index of the first point whose count is not yet stored
    const auto store_counts = [&] {
      for (; next < by_queries.size() && points_[by_queries[next]].num_queries == num_queried;
           ++next) {
        counts[by_queries[next]].num_false_positives = num_found(points_[by_queries[next]], found);
      }
    };
    const auto query_block = [&](std::span<const Digest> block) {
      while (!block.empty()) {
        const std::uint64_t left = points_[by_queries[next]].num_queries - num_queried;
        const auto part = block.first(std::min<std::uint64_t>(block.size(), left));
        passes_.count_found(table_, part, filters_of(std::span(by_queries).subspan(next)), found);
        block = block.subspan(part.size());
        num_queried += part.size();
        store_counts();
      }
    };
    store_counts();
    run_.for_each_block(shared_queries(run_, num_queries), run_.timing.query_s, query_block);
  }

  /// Counts the set probes of the first queries in a separate pass. The pass stores the histogram
  /// of a point as soon as it has processed the point's number of histogram queries.
  void count_probes(Counts& counts) {
    const std::vector<std::size_t> by_queries = points_by_num_queries();
    const auto found = std::make_unique<SetProbeCounts>();
    DigestCursor queries = shared_queries(run_, num_histogram_queries(points_[by_queries.back()]));
    const PhaseTimer timer(run_.timing.query_s);
    std::span<const Digest> block;
    std::uint64_t num_counted = 0;
    for (const std::size_t i : by_queries) {
      while (num_counted < num_histogram_queries(points_[i])) {
        if (block.empty()) block = queries.next();
        const auto part = block.first(
            std::min<std::uint64_t>(block.size(), num_histogram_queries(points_[i]) - num_counted));
        passes_.count_set_probes(table_, part, static_cast<unsigned>(group_.size()), *found);
        block = block.subspan(part.size());
        num_counted += part.size();
      }
      const unsigned num_hashes = points_[i].num_hashes;
      const auto& histogram = (*found)[hash_counts_.index_of(num_hashes)][step_of(points_[i])];
      counts[i].set_probe_counts.assign(histogram.begin(), histogram.begin() + num_hashes + 1);
    }
  }

  /// Returns the indices of the group's points, sorted by number of queries.
  [[nodiscard]] std::vector<std::size_t> points_by_num_queries() const {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (in_group(points_[i])) numbers.push_back(i);
    }
    std::stable_sort(numbers.begin(), numbers.end(), [&](std::size_t a, std::size_t b) {
      return points_[a].num_queries < points_[b].num_queries;
    });
    return numbers;
  }

  /// Returns a word with 1 in the nibble of each filter that belongs to one of the given points.
  [[nodiscard]] std::uint64_t filters_of(std::span<const std::size_t> numbers) const {
    std::uint64_t filters = 0;
    for (const std::size_t i : numbers) {
      filters |= std::uint64_t{1} << (4 * hash_counts_.index_of(points_[i].num_hashes));
    }
    return filters;
  }

  /// Queries a sample of the members of each checkpoint. Sampled members that are not found count
  /// as false negatives.
  void query_members(Counts& counts) {
    const PhaseTimer timer(run_.timing.query_s);
    for (unsigned step = 0; step < group_.size(); ++step) {
      const std::vector<Digest> sample = sampled_members(group_[step]);
      const std::vector<Digest> missed = passes_.not_in_all(table_, sample, step);
      StepCounts found{};
      passes_.count_found(table_, missed, hash_counts_.open(0), found);
      for (std::size_t i = 0; i < points_.size(); ++i) {
        if (points_[i].num_inserted != group_[step]) continue;
        counts[i].num_member_queries = sample.size();
        counts[i].num_false_negatives = missed.size() - num_found(points_[i], found);
      }
    }
  }

  [[nodiscard]] std::vector<Digest> sampled_members(std::uint64_t num_members) const {
    const MemberSample sample(run_.unit, num_members);
    std::vector<Digest> digests;
    digests.reserve(sample.size());
    for (std::uint64_t i = 0; i < sample.size(); ++i) {
      digests.push_back((*members_)[sample.index(i)]);
    }
    return digests;
  }

  void make_rows(Counts counts) {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Point& point = points_[i];
      if (!in_group(point)) continue;
      const std::uint64_t ones = ones_[step_of(point)][hash_counts_.index_of(point.num_hashes)];
      const FilterState state = {.num_bits = num_positions_,
                                 .num_ones = ones,
                                 .conditional_false_positive_rate = rate_given_ones(
                                     passes_.model, ones, num_positions_, point.num_hashes)};
      rows_[i] = make_row(run_.unit, point, state, std::move(counts[i]));
    }
  }

  [[nodiscard]] bool in_group(const Point& point) const {
    return point.num_inserted >= group_.front() && point.num_inserted <= group_.back();
  }

  /// Returns the step of a point: the index of its checkpoint in the current group.
  [[nodiscard]] std::size_t step_of(const Point& point) const {
    const auto found = std::lower_bound(group_.begin(), group_.end(), point.num_inserted);
    return static_cast<std::size_t>(found - group_.begin());
  }

  /// Returns the number of keys found at the point's checkpoint: the keys whose bits were all set
  /// at or before that checkpoint.
  [[nodiscard]] std::uint64_t num_found(const Point& point, const StepCounts& found) const {
    const auto& counts = found[hash_counts_.index_of(point.num_hashes)];
    return std::accumulate(counts.begin(), counts.begin() + step_of(point) + 1, std::uint64_t{0});
  }

  UnitRun& run_;
  std::span<const Point> points_;
  const Passes& passes_;
  HashCounts hash_counts_;
  std::vector<std::uint64_t> checkpoints_;
  std::uint64_t num_positions_;
  CheckpointIndex table_;
  std::vector<TrialRow> rows_;
  DigestList members_;
  std::uint64_t num_inserted_ = 0;
  std::span<const std::uint64_t> group_;  // checkpoints of the current group, by step
  std::array<std::array<std::uint64_t, HashCounts::kMaxFilters>, WordLayout::kMaxSteps> ones_{};
};

}  // namespace

bool checkpoint_index_serves(const Unit& unit, std::span<const Point> points) {
  return unit.variant == StandardFilter::kName && !unit.churn && !unit.window && !unit.stream &&
         points.size() >= kMinPoints && checkpoint_index_bytes(unit, points) <= kMaxTableBytes;
}

std::vector<TrialRow> run_checkpoint_index(UnitRun& run, std::span<const Point> points) {
  const SchemeInfo& scheme = find_variant(run.unit.variant).scheme(run.unit.probes);
  for (const Point& point : points) {
    require_distinct_fit(scheme.model, StandardFilter::geometry(point_spec(run.unit, point)));
  }
  BufferPool own_pool;
  BufferPool& pool = run.context.buffers == nullptr ? own_pool : *run.context.buffers;
  return CheckpointAnswer(run, points, pool).rows();
}

std::uint64_t count_index_operations(std::span<const Point> points) {
  if (points.empty()) return 0;
  // Maximum number of queries per checkpoint, computed in one pass because a unit may have 10^4
  // points.
  std::map<std::uint64_t, std::uint64_t> num_queries;
  for (const Point& point : points) {
    std::uint64_t& most = num_queries[point.num_inserted];
    most = std::max(most, point.num_queries);
  }
  const std::size_t steps = steps_per_group(hash_counts_for(points), num_queries.size());
  std::vector<std::uint64_t> most_of_group(num_queries.size() / steps + 1);
  std::size_t step = 0;
  for (const auto& [num_inserted, queries] : num_queries) {
    std::uint64_t& most = most_of_group[step++ / steps];
    most = std::max(most, queries);
  }
  return std::accumulate(most_of_group.begin(), most_of_group.end(), num_queries.rbegin()->first);
}

std::uint64_t checkpoint_index_bytes(const Unit& unit, std::span<const Point> points) {
  const std::size_t num_checkpoints = distinct_values(points, &Point::num_inserted).size();
  return layout_for(hash_counts_for(points), num_checkpoints)
      .table_bytes(num_positions(unit, points.front()));
}

}  // namespace bloometry
