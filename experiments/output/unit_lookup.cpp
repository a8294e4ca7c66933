#include "experiments/output/unit_lookup.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "experiments/unit/unit_id.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

std::vector<Point> points_of(const std::vector<TrialRow>& rows) {
  std::vector<Point> points;
  for (const TrialRow& row : rows) {
    points.push_back({.num_inserted = row.num_inserted,
                      .num_hashes = static_cast<unsigned>(row.num_hashes.value_or(0)),
                      .num_queries = row.num_queries});
  }
  return points;
}

/// Value in place of the number of bits, for a filter that grows. A unit with this value matches
/// rows with any number of bits.
constexpr std::uint64_t kGrowing = 0;

/// Returns the number of bits of the unit's filter with this k, or nullopt if the filter does not
/// accept this k.
std::optional<std::uint64_t> num_bits_of(const Unit& unit, unsigned num_hashes) {
  if (num_hashes == 0) return kGrowing;
  try {
    return find_variant(unit.variant)
        .geometry(point_spec(unit, {.num_hashes = num_hashes}))
        .num_bits();
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

std::uint64_t least_num_keys(const UnitFrame& frame) {
  std::uint64_t least = frame.requests.front()->filter.num_keys.front();
  for (const PointRequest* request : frame.requests) {
    least = std::min(least, request->filter.num_keys.front());  // num_keys is sorted
  }
  return least;
}

}  // namespace

PlannedUnits::PlannedUnits(std::span<const Unit> units) {
  for (const Unit& unit : units) units_.emplace(unit.id, &unit);
}

const Unit* PlannedUnits::find(const UnitResult& result) {
  return find(result.timing.unit);
}

const Unit* PlannedUnits::find(std::string_view id) const {
  const auto found = units_.find(id);
  return found != units_.end() ? found->second : nullptr;
}

FramedUnits::FramedUnits(const Config& config) : config_(config), planned_(unit_frames(config)) {
  for (const UnitFrame& frame : planned_.frames) {
    const Unit& unit = frame.unit;
    frames_[{unit.variant, unit.keys.name, unit.hash, unit.probes, unit.params, unit.trial,
             least_num_keys(frame)}]
        .push_back(&frame);
  }
}

const FramedUnits::Frames& FramedUnits::frames_of(const Name& name, unsigned num_hashes,
                                                  std::uint64_t num_bits) {
  static const Frames kNone;
  const auto named = frames_.find(name);
  if (named == frames_.end()) return kNone;
  const auto [sized, is_new] = sized_frames_.try_emplace({named->first, num_hashes});
  for (const UnitFrame* frame : is_new ? named->second : kNone) {
    if (const auto bits = num_bits_of(frame->unit, num_hashes)) {
      sized->second[*bits].push_back(frame);
    }
  }
  return sized->second[num_bits];
}

const Unit* FramedUnits::find(const UnitResult& result) {
  if (const Unit* known = find(result.timing.unit)) return known;
  if (result.rows.empty()) return nullptr;
  const std::vector<Point> measured = points_of(result.rows);
  const TrialRow& row = result.rows.front();
  const unsigned num_hashes = measured.front().num_hashes;
  const Name name = {row.variant, row.keys,  row.hash,        row.probes,
                     row.params,  row.trial, row.num_inserted};
  for (const UnitFrame* frame :
       frames_of(name, num_hashes, num_hashes == 0 ? kGrowing : row.num_bits)) {
    std::optional<std::vector<Point>> points = requested_points(*frame, config_.queries, measured);
    if (!points) continue;
    Unit unit = frame->unit;
    unit.points = *std::move(points);
    unit.id = unit_id(unit);
    if (unit.id == result.timing.unit) return &found_.emplace(unit.id, unit).first->second;
  }
  return nullptr;
}

const Unit* FramedUnits::find(std::string_view id) const {
  const auto found = found_.find(id);
  return found != found_.end() ? &found->second : nullptr;
}

std::vector<Unit> FramedUnits::take_found() {
  std::vector<Unit> units;
  for (auto& [id, unit] : found_) units.push_back(std::move(unit));
  found_.clear();
  return units;
}

}  // namespace bloometry
