#include "experiments/trial/run_unit.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "core/rates/search.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/trial/checkpoint_engine.hpp"
#include "experiments/trial/item_stream.hpp"
#include "experiments/trial/reference_engines.hpp"
#include "experiments/trial/sample_check.hpp"
#include "experiments/trial/unit_run.hpp"
#include "experiments/trial/unit_work.hpp"
#include "experiments/trial/window_truth.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

/// The points of a unit: points for the checkpoint index, and points for the real class.
struct Split {
  std::vector<std::size_t> index_numbers;
  std::vector<std::size_t> direct_numbers;
};

std::vector<Point> points_of(const Unit& unit, const std::vector<std::size_t>& numbers) {
  std::vector<Point> points;
  points.reserve(numbers.size());
  for (const std::size_t i : numbers) points.push_back(unit.points[i]);
  return points;
}

Split split_points(const Unit& unit, Engine engine) {
  Split split;
  for (std::size_t i = 0; i < unit.points.size(); ++i) {
    const unsigned num_hashes = unit.points[i].num_hashes;
    const bool is_narrow = num_hashes >= 1 && num_hashes <= kMaxIndexHashes;
    (is_narrow ? split.index_numbers : split.direct_numbers).push_back(i);
  }
  const bool serve = engine == Engine::kAuto &&
                     checkpoint_index_serves(unit, points_of(unit, split.index_numbers));
  if (serve) return split;
  split.index_numbers.clear();
  split.direct_numbers.resize(unit.points.size());
  for (std::size_t i = 0; i < unit.points.size(); ++i) split.direct_numbers[i] = i;
  return split;
}

std::string engine_name(const Split& split, Engine engine) {
  if (engine == Engine::kNaive) return "naive";
  if (split.index_numbers.empty()) return "direct";
  return split.direct_numbers.empty() ? "checkpoint_index" : "checkpoint_index+direct";
}

void put_rows(const std::vector<std::size_t>& numbers, std::vector<TrialRow> rows,
              std::vector<TrialRow>& all) {
  for (std::size_t i = 0; i < numbers.size(); ++i) all[numbers[i]] = std::move(rows[i]);
}

std::vector<TrialRow> run_engine(UnitRun& run) {
  const Unit& unit = run.unit;
  const Split split = split_points(unit, run.context.engine);
  run.timing.engine = engine_name(split, run.context.engine);
  if (run.context.engine == Engine::kNaive) return run_naive(run, unit.points);
  std::vector<TrialRow> rows(unit.points.size());
  if (!split.index_numbers.empty()) {
    put_rows(split.index_numbers, run_checkpoint_index(run, points_of(unit, split.index_numbers)),
             rows);
  }
  if (!split.direct_numbers.empty()) {
    put_rows(split.direct_numbers, run_direct(run, points_of(unit, split.direct_numbers)), rows);
  }
  return rows;
}

void require_possible(const Unit& unit) {
  if (unit.stream && find_variant(unit.variant).is_limited) {
    throw ConfigError(
        fmt::format("stream must be left out for {}, which refuses inserts", unit.variant));
  }
  if (find_variant(unit.variant).can(Operation::kErase)) return;
  if (unit.churn) {
    throw ConfigError(
        fmt::format("churn must be left out for {}, which cannot erase", unit.variant));
  }
  if (unit.window && unit.window->erase > 0) {
    throw ConfigError(fmt::format("window.erase must be 0 for {}, which cannot erase, got {}",
                                  unit.variant, number_text(unit.window->erase)));
  }
}

UnitTiming start_timing(const Unit& unit) {
  UnitTiming timing;
  timing.unit = unit.id;
  timing.num_points = unit.points.size();
  timing.num_key_operations = count_naive_operations(unit, unit.points);
  return timing;
}

UnitResult run_whole(const Unit& unit, const TrialContext& context) {
  const StageCost cost = context.engine == Engine::kNaive ? StageCost::kSingle : StageCost::kBatch;
  UnitRun run{unit, context, start_timing(unit), work_per_operation(unit, unit.points, cost)};
  UnitResult result;
  {
    const PhaseTimer total(run.timing.total_s);
    result.rows = run_engine(run);
    if (context.engine == Engine::kAuto) {
      const PhaseTimer timer(run.timing.check_s);
      check_sample(run, result.rows);
    }
  }
  result.timing = std::move(run.timing);
  return result;
}

/// Returns the most memory of the cells, in bits, until a filter contains num_keys keys. While a
/// table doubles, the table of half the cells exists too.
std::uint64_t most_bits(const VariantInfo& variant, const FilterSpec& spec,
                        std::uint64_t num_keys) {
  const std::uint64_t num_bits = variant.num_bits_at(spec, num_keys);
  const Geometry last = variant.geometry_at(spec, num_keys);
  if (last == variant.geometry(spec)) return num_bits;
  const std::optional<std::uint64_t> before =
      most_that_holds(num_keys / 2, num_keys,
                      [&](std::uint64_t n) { return variant.geometry_at(spec, n) != last; });
  return num_bits + variant.geometry_at(spec, before.value()).num_bits();
}

std::uint64_t filter_bytes(const Unit& unit) {
  std::uint64_t num_bits = 0;
  for (const Point& point : unit.points) {
    const VariantInfo& variant = find_variant(unit.variant);
    num_bits = std::max(num_bits, most_bits(variant, point_spec(unit, point), point.num_inserted));
  }
  return num_bits / 8 + 1;
}

}  // namespace

std::optional<UnitResult> run_unit(const Unit& unit, const TrialContext& context) {
  require_possible(unit);
  try {
    return run_whole(unit, context);
  } catch (const Cancelled&) {
    return std::nullopt;
  }
}

std::uint64_t count_operations(const Unit& unit, Engine engine) {
  if (engine == Engine::kNaive) return count_naive_operations(unit, unit.points);
  const Split split = split_points(unit, engine);
  return count_index_operations(points_of(unit, split.index_numbers)) +
         count_direct_operations(unit, points_of(unit, split.direct_numbers));
}

UnitBytes unit_bytes(const Unit& unit, Engine engine) {
  std::uint64_t num_keys = 0;
  for (const Point& point : unit.points) num_keys = std::max(num_keys, point.num_inserted);
  const Split split = split_points(unit, engine);
  UnitBytes bytes{.filter = filter_bytes(unit)};
  if (!split.index_numbers.empty()) {
    bytes.table = checkpoint_index_bytes(unit, points_of(unit, split.index_numbers));
  }
  // Churn stores the order of the members, and a limited filter may refuse all of them. The naive
  // engine also stores its own digests.
  if (unit.churn || find_variant(unit.variant).is_limited) {
    bytes.filter += num_keys * (engine == Engine::kDirect ? 8 : 8 + 16);
  }
  if (unit.window) {
    bytes.filter += window_truth_bytes(num_keys) + (engine == Engine::kDirect ? 0 : 16 * num_keys);
  }
  if (unit.stream) {
    const std::uint64_t num_distinct = unit.stream->num_distinct;
    bytes.filter +=
        item_stream_bytes(*unit.stream) + (engine == Engine::kDirect ? 0 : 16 * num_distinct);
  }
  return bytes;
}

std::set<std::string> always_checked_units(std::span<const Unit> units) {
  std::set<std::pair<std::string, std::string>> seen;
  std::set<std::string> ids;
  for (const Unit& unit : units) {
    if (seen.emplace(unit.variant, unit.probes).second) ids.insert(unit.id);
  }
  return ids;
}

}  // namespace bloometry
