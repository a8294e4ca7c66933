#include "experiments/trial/reference_engines.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "experiments/trial/calls.hpp"
#include "experiments/trial/churn.hpp"
#include "experiments/trial/item_stream.hpp"
#include "experiments/trial/point_row.hpp"
#include "experiments/trial/window_stream.hpp"
#include "experiments/unit/key_demand.hpp"
#include "experiments/unit/key_lifetime.hpp"
#include "experiments/workload/member_sample.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

constexpr std::size_t kKeysPerInsert = DigestCursor::kDigestsPerBlock;

AnyFilter filter_for(const Unit& unit, const Point& point) {
  return make_filter(unit.variant, unit.probes, point_spec(unit, point));
}

/// Inserts members into a filter, and records which of them a limited filter refuses.
class Insertions {
 public:
  Insertions(AnyFilter& filter, std::span<const Digest> members)
      : filter_(filter), members_(members) {}

  /// Inserts the members up to member num_keys, in blocks.
  void insert_up_to(UnitRun& run, std::uint64_t num_keys, Calls calls) {
    while (num_tried_ < num_keys) {
      const std::uint64_t count = std::min<std::uint64_t>(num_keys - num_tried_, kKeysPerInsert);
      {
        const PhaseTimer timer(run.timing.insert_s);
        insert(count, calls);
      }
      run.advance(count);
    }
  }

  [[nodiscard]] std::uint64_t num_refused() const noexcept { return refused_.size(); }

  /// Returns a sample of the members in the filter.
  [[nodiscard]] std::vector<Digest> sample(const Unit& unit) const {
    const MemberSample sample(unit, num_tried_ - num_refused());
    std::vector<Digest> digests;
    digests.reserve(sample.size());
    std::size_t num_skipped = 0;
    for (std::uint64_t i = 0; i < sample.size(); ++i) {
      const std::uint64_t index = sample.index(i);
      while (num_skipped < refused_.size() && refused_[num_skipped] <= index + num_skipped) {
        ++num_skipped;
      }
      digests.push_back(members_[index + num_skipped]);
    }
    return digests;
  }

  /// Returns all members in the filter.
  [[nodiscard]] std::vector<Digest> accepted() const {
    std::vector<Digest> digests;
    digests.reserve(num_tried_ - num_refused());
    auto refused = refused_.begin();
    for (std::uint64_t i = 0; i < num_tried_; ++i) {
      if (refused != refused_.end() && *refused == i) {
        ++refused;
      } else {
        digests.push_back(members_[i]);
      }
    }
    return digests;
  }

 private:
  void insert(std::uint64_t count, Calls calls) {
    if (!filter_.is_limited()) {
      insert_block(filter_, members_.subspan(num_tried_, count), calls);
      num_tried_ += count;
      return;
    }
    const std::uint64_t end = num_tried_ + count;
    const std::uint64_t most_at_once = calls == Calls::kBatch ? count : 1;
    while (num_tried_ < end) {
      const std::uint64_t some = std::min(most_at_once, end - num_tried_);
      const InsertCount inserted = filter_.try_insert(members_.subspan(num_tried_, some));
      num_tried_ += inserted.num_inserted;
      if (inserted.is_full) refused_.push_back(num_tried_++);
    }
  }

  AnyFilter& filter_;
  std::span<const Digest> members_;
  std::uint64_t num_tried_ = 0;
  std::vector<std::uint64_t> refused_;  // indices of the members that were refused, ascending
};

/// Runs all queries of the point and counts the set probes of the first queries.
void run_queries(UnitRun& run, const Point& point, const AnyFilter& filter, DigestCursor queries,
                 Calls calls, PointCounts& counts) {
  const bool counts_probes = filter.can_count_probes();
  if (counts_probes) counts.set_probe_counts.resize(point.num_hashes + 1);
  std::uint64_t num_to_count = counts_probes ? num_histogram_queries(point) : 0;
  run.for_each_block(std::move(queries), run.timing.query_s, [&](std::span<const Digest> block) {
    counts.num_false_positives += count_positives(filter, block, calls);
    if (num_to_count == 0) return;
    const auto first = block.first(std::min<std::uint64_t>(block.size(), num_to_count));
    filter.count_set_probes(first, counts.set_probe_counts);
    num_to_count -= first.size();
  });
}

/// Queries members. Members that are not found count as false negatives.
PointCounts count_members(UnitRun& run, const AnyFilter& filter, std::span<const Digest> members) {
  const PhaseTimer timer(run.timing.query_s);
  return {.num_member_queries = members.size(),
          .num_false_negatives = members.size() - filter.count_positives(members)};
}

std::vector<Digest> sampled_members(const Unit& unit, const ChurnRun& churned) {
  const MemberSample sample(unit, churned.num_present());
  std::vector<Digest> digests;
  digests.reserve(sample.size());
  for (std::uint64_t i = 0; i < sample.size(); ++i)
    digests.push_back(churned.present(sample.index(i)));
  return digests;
}

TrialRow measure(UnitRun& run, const Point& point, const AnyFilter& filter,
                 std::span<const Digest> sample, std::uint64_t num_refused, DigestCursor queries,
                 Calls calls) {
  PointCounts counts = count_members(run, filter, sample);
  if (filter.is_limited()) counts.num_refused_inserts = num_refused;
  run_queries(run, point, filter, std::move(queries), calls, counts);
  const PhaseTimer timer(run.timing.query_s);
  TrialRow row = make_row(run.unit, point, filter.state(), std::move(counts));
  if (filter.can_erase()) row.num_wrongful_erases = 0;
  return row;
}

DigestCursor candidates_of(UnitRun& run, bool anew) {
  const KeyDemand demand = key_demand(run.unit);
  if (anew || demand.num_candidates == 0) {
    return run.digests().hash_anew(run.unit, KeyRole::kQuery, demand.num_queries,
                                   demand.num_candidates);
  }
  return run.digests().queries(run.unit, demand.num_queries, demand.num_candidates);
}

/// Fills a filter for a single point, runs all rounds of churn, and measures the point.
TrialRow run_churned_point(UnitRun& run, const Point& point, std::span<const Digest> members,
                           DigestCursor candidates, DigestCursor queries, Calls calls) {
  AnyFilter filter = filter_for(run.unit, point);
  Insertions insertions(filter, members);
  insertions.insert_up_to(run, members.size(), calls);
  std::vector<Digest> accepted;
  if (insertions.num_refused() > 0) accepted = insertions.accepted();
  ChurnRun churned(run, filter, insertions.num_refused() > 0 ? accepted : members, point,
                   std::move(candidates));
  {
    const PhaseTimer timer(run.timing.insert_s);
    churned.run();
  }
  TrialRow row =
      measure(run, point, filter, sampled_members(run.unit, churned),
              insertions.num_refused() + churned.num_refused_inserts(), std::move(queries), calls);
  row.num_stored = churned.num_present();
  row.num_wrongful_erases = churned.num_wrongful_erases();
  return row;
}

/// Returns the indices of the points by k. For each k, the indices are in the order of the
/// checkpoints.
std::map<unsigned, std::vector<std::size_t>> by_num_hashes(std::span<const Point> points) {
  std::map<unsigned, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < points.size(); ++i) groups[points[i].num_hashes].push_back(i);
  for (auto& [num_hashes, group] : groups) {
    std::stable_sort(group.begin(), group.end(), [&](std::size_t a, std::size_t b) {
      return points[a].num_inserted < points[b].num_inserted;
    });
  }
  return groups;
}

/// Returns the number of members that the points need.
std::uint64_t num_members_of(const Unit& unit, std::span<const Point> points) {
  if (unit.stream) return unit.stream->num_distinct;
  std::uint64_t num_keys = 0;
  for (const Point& point : points) num_keys = std::max(num_keys, point.num_inserted);
  return num_keys;
}

/// Fills one filter and measures each point of the group at its checkpoint.
void fill_through_checkpoints(UnitRun& run, std::span<const Point> points,
                              const std::vector<std::size_t>& group,
                              std::span<const Digest> members, std::vector<TrialRow>& rows) {
  AnyFilter filter = filter_for(run.unit, points[group.front()]);
  Insertions insertions(filter, members);
  for (const std::size_t i : group) {
    const Point& point = points[i];
    insertions.insert_up_to(run, point.num_inserted, Calls::kBatch);
    rows[i] = measure(run, point, filter, insertions.sample(run.unit), insertions.num_refused(),
                      shared_queries(run, point.num_queries), Calls::kBatch);
  }
}

/// Measures the stream's filter at a point. The stream has reached the point.
TrialRow measure_stream(UnitRun& run, const Point& point, const AnyFilter& filter,
                        const WindowStream& stream, DigestCursor queries, Calls calls) {
  TrialRow row =
      measure(run, point, filter, stream.sample(), stream.num_refused(), std::move(queries), calls);
  stream.count(run, point.num_queries, row);
  return row;
}

/// Runs one stream and measures each point of the group at its checkpoint.
void stream_through_checkpoints(UnitRun& run, std::span<const Point> points,
                                const std::vector<std::size_t>& group,
                                std::span<const Digest> members, std::vector<TrialRow>& rows) {
  const Point& last = points[group.back()];
  AnyFilter filter = filter_for(run.unit, last);
  WindowStream stream(run.unit, filter, members, last.num_inserted,
                      lifetime_of(find_variant(run.unit.variant), point_spec(run.unit, last)),
                      Calls::kBatch);
  for (const std::size_t i : group) {
    const Point& point = points[i];
    stream.run_up_to(run, point.num_inserted);
    rows[i] = measure_stream(run, point, filter, stream, shared_queries(run, point.num_queries),
                             Calls::kBatch);
  }
}

/// Measures the filter of a stream of items at a point. The stream has reached the point.
TrialRow measure_items(UnitRun& run, const Point& point, const AnyFilter& filter,
                       const ItemStreamRun& items, DigestCursor queries, Calls calls) {
  TrialRow row = measure(run, point, filter, items.sample(), 0, std::move(queries), calls);
  items.count(row);
  return row;
}

/// Runs one stream of items and measures each point of the group at its checkpoint.
void process_through_checkpoints(UnitRun& run, std::span<const Point> points,
                                 const std::vector<std::size_t>& group,
                                 std::span<const Digest> keys, std::vector<TrialRow>& rows) {
  const Point& last = points[group.back()];
  AnyFilter filter = filter_for(run.unit, last);
  ItemStreamRun items(run.unit, filter, keys,
                      lifetime_of(find_variant(run.unit.variant), point_spec(run.unit, last)));
  for (const std::size_t i : group) {
    const Point& point = points[i];
    items.run_up_to(run, point.num_inserted);
    rows[i] = measure_items(run, point, filter, items, shared_queries(run, point.num_queries),
                            Calls::kBatch);
  }
}

/// Hashes all members of a point again and returns their digests.
std::vector<Digest> fresh_members(UnitRun& run, std::uint64_t num_keys) {
  std::vector<Digest> digests;
  digests.reserve(num_keys);
  const PhaseTimer timer(run.timing.hash_s);
  DigestCursor cursor = run.digests().hash_anew(run.unit, KeyRole::kMember, 0, num_keys);
  for (auto block = cursor.next(); !block.empty(); block = cursor.next()) {
    digests.insert(digests.end(), block.begin(), block.end());
  }
  return digests;
}

TrialRow run_naive_churned_point(UnitRun& run, const Point& point) {
  const std::vector<Digest> members = fresh_members(run, point.num_inserted);
  return run_churned_point(run, point, members, candidates_of(run, true),
                           run.digests().hash_anew(run.unit, KeyRole::kQuery, 0, point.num_queries),
                           Calls::kSingle);
}

TrialRow run_naive_streamed_point(UnitRun& run, const Point& point) {
  const std::vector<Digest> members = fresh_members(run, point.num_inserted);
  AnyFilter filter = filter_for(run.unit, point);
  WindowStream stream(run.unit, filter, members, point.num_inserted,
                      lifetime_of(find_variant(run.unit.variant), point_spec(run.unit, point)),
                      Calls::kSingle);
  stream.run_up_to(run, point.num_inserted);
  return measure_stream(run, point, filter, stream,
                        run.digests().hash_anew(run.unit, KeyRole::kQuery, 0, point.num_queries),
                        Calls::kSingle);
}

TrialRow run_naive_item_point(UnitRun& run, const Point& point) {
  const std::vector<Digest> keys = fresh_members(run, run.unit.stream->num_distinct);
  AnyFilter filter = filter_for(run.unit, point);
  ItemStreamRun items(run.unit, filter, keys,
                      lifetime_of(find_variant(run.unit.variant), point_spec(run.unit, point)));
  items.run_up_to(run, point.num_inserted);
  return measure_items(run, point, filter, items,
                       run.digests().hash_anew(run.unit, KeyRole::kQuery, 0, point.num_queries),
                       Calls::kSingle);
}

/// Measures a point of a limited filter. The refused members determine the sample of members, so
/// the function stores all digests.
TrialRow run_naive_limited_point(UnitRun& run, const Point& point, AnyFilter filter) {
  const std::vector<Digest> members = fresh_members(run, point.num_inserted);
  Insertions insertions(filter, members);
  insertions.insert_up_to(run, members.size(), Calls::kSingle);
  return measure(run, point, filter, insertions.sample(run.unit), insertions.num_refused(),
                 run.digests().hash_anew(run.unit, KeyRole::kQuery, 0, point.num_queries),
                 Calls::kSingle);
}

TrialRow run_naive_point(UnitRun& run, const Point& point) {
  if (run.unit.churn) return run_naive_churned_point(run, point);
  if (run.unit.window) return run_naive_streamed_point(run, point);
  if (run.unit.stream) return run_naive_item_point(run, point);
  AnyFilter filter = filter_for(run.unit, point);
  if (filter.is_limited()) return run_naive_limited_point(run, point, std::move(filter));
  const MemberSample sample(run.unit, point.num_inserted);
  std::vector<Digest> sampled;
  sampled.reserve(sample.size());
  std::uint64_t first = 0;
  run.for_each_block(
      run.digests().hash_anew(run.unit, KeyRole::kMember, 0, point.num_inserted),
      run.timing.insert_s, [&](std::span<const Digest> block) {
        insert_block(filter, block, Calls::kSingle);
        const std::uint64_t end = first + block.size();
        while (sampled.size() < sample.size() && sample.index(sampled.size()) < end) {
          sampled.push_back(block[sample.index(sampled.size()) - first]);
        }
        first = end;
      });
  return measure(run, point, filter, sampled, 0,
                 run.digests().hash_anew(run.unit, KeyRole::kQuery, 0, point.num_queries),
                 Calls::kSingle);
}

/// Returns the function that fills a filter and measures the points of a group.
auto filling_of(const Unit& unit) {
  if (unit.stream) return process_through_checkpoints;
  return unit.window ? stream_through_checkpoints : fill_through_checkpoints;
}

std::uint64_t count_point_operations(const Unit& unit, const Point& point) {
  const std::uint64_t churn = unit.churn ? count_churn_operations(unit, point.num_inserted) : 0;
  return point.num_inserted + churn + point.num_queries;
}

}  // namespace

std::vector<TrialRow> run_direct(UnitRun& run, std::span<const Point> points) {
  std::vector<TrialRow> rows(points.size());
  const DigestList members = shared_members(run, num_members_of(run.unit, points));
  if (run.unit.churn) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      rows[i] = run_churned_point(run, points[i], std::span(*members).first(points[i].num_inserted),
                                  candidates_of(run, false),
                                  shared_queries(run, points[i].num_queries), Calls::kBatch);
    }
    return rows;
  }
  for (const auto& [num_hashes, group] : by_num_hashes(points)) {
    filling_of(run.unit)(run, points, group, *members, rows);
  }
  return rows;
}

std::vector<TrialRow> run_naive(UnitRun& run, std::span<const Point> points) {
  std::vector<TrialRow> rows;
  rows.reserve(points.size());
  for (const Point& point : points) rows.push_back(run_naive_point(run, point));
  return rows;
}

std::uint64_t count_direct_operations(const Unit& unit, std::span<const Point> points) {
  if (unit.churn) return count_naive_operations(unit, points);
  std::uint64_t num_operations = 0;
  for (const auto& [num_hashes, group] : by_num_hashes(points)) {
    num_operations += points[group.back()].num_inserted;
    for (const std::size_t i : group) num_operations += points[i].num_queries;
  }
  return num_operations;
}

std::uint64_t count_naive_operations(const Unit& unit, std::span<const Point> points) {
  std::uint64_t num_operations = 0;
  for (const Point& point : points) num_operations += count_point_operations(unit, point);
  return num_operations;
}

}  // namespace bloometry
