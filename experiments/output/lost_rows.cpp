#include "experiments/output/lost_rows.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/plan/json_document.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/unit/key_demand.hpp"
#include "experiments/unit/unit_id.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::json;

/// The numbers of a point that its row depends on.
using PointKey = std::tuple<std::uint64_t, unsigned, std::uint64_t>;

PointKey key_of(const Point& point) {
  return {point.num_inserted, point.num_hashes, point.num_queries};
}

/// Returns the text of everything but the point on which the rows of a unit depend. In a key file,
/// the queries are the lines after all members. The candidates of wrongful erases follow the
/// queries.
std::string unit_key(const Unit& unit) {
  const KeyDemand demand = key_demand(unit);
  const bool is_file = unit.keys.kind == KeySource::Kind::kFile;
  return fmt::format("{}{},{}", unit_text_without_points(unit), is_file ? demand.num_members : 0,
                     demand.num_candidates);
}

/// Returns whether a field cannot change a row: the texts and the charts of the report.
bool is_presentation(std::string_view pointer) {
  return pointer.starts_with("/question") || pointer.starts_with("/report") ||
         (pointer.starts_with("/keys/") && pointer.ends_with("/label"));
}

/// Returns the text of one change of Json::diff(), such as `/queries (2000, not 1000)`.
std::string text_of(const Json& change, const Json& found) {
  auto path = change.at("path").get<std::string>();
  const bool is_appended = path.ends_with("/-");  // an element behind the end of a list
  if (is_appended) path.resize(path.size() - 2);
  const std::string wanted =
      change.at("op") == "remove" ? "absent" : shown_json(change.at("value"));
  const Json::json_pointer pointer(path);
  const bool is_found = change.at("op") != "add" && found.contains(pointer);
  return fmt::format("{} ({}, not {})", path, wanted,
                     is_found ? shown_json(found.at(pointer)) : "absent");
}

}  // namespace

std::uint64_t count_lost_rows(const RunData& run, std::span<const Unit> units) {
  std::map<std::string, std::set<PointKey>> kept;
  for (const Unit& unit : units) {
    std::set<PointKey>& points = kept[unit_key(unit)];
    for (const Point& point : unit.points) points.insert(key_of(point));
  }
  std::set<std::string> finished;
  for (const UnitTiming& timing : run.timings) finished.insert(timing.unit);
  std::uint64_t num_lost = 0;
  for (const Unit& unit : run.units) {
    if (!finished.contains(unit.id)) continue;
    const std::set<PointKey>& points = kept[unit_key(unit)];
    num_lost += static_cast<std::uint64_t>(std::ranges::count_if(
        unit.points, [&](const Point& point) { return !points.contains(key_of(point)); }));
  }
  return num_lost;
}

std::string config_difference(const Json& found, const Json& wanted) {
  constexpr std::size_t kMaxShown = 3;
  std::vector<std::string> differences;
  for (const Json& change : Json::diff(found, wanted)) {
    if (is_presentation(change.at("path").get<std::string>())) continue;
    differences.push_back(text_of(change, found));
  }
  if (differences.size() > kMaxShown) {
    const std::size_t num_more = differences.size() - kMaxShown;
    differences.resize(kMaxShown);
    differences.push_back(fmt::format("{} more", num_more));
  }
  return joined(differences);
}

void require_no_lost_rows(const RunData& run, const Config& config) {
  const std::uint64_t num_lost = count_lost_rows(run, expand(config));
  if (num_lost == 0) return;
  const std::string difference = config_difference(to_json(run.config), to_json(config));
  throw ConfigError(fmt::format(
      "run folder {}: {} of its {} are not rows of this config, {}; give another --out, or "
      "--replace to drop them from trials.csv",
      run.folder.string(), grouped(num_lost), plural(run.rows.size(), "row"),
      difference.empty() ? "because another version of bloometry planned their k or queries"
                         : "which differs in " + difference));
}

}  // namespace bloometry
