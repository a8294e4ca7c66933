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

/// Collects the differences of two JSON values, such as `/queries (2000, not 1000)`. Lists are
/// compared by their elements and not by positions, because an inserted element would otherwise
/// change all elements behind it.
class Differences {
 public:
  void add(const std::string& path, const Json& found, const Json& wanted) {
    if (found == wanted || is_presentation(path)) return;
    if (found.is_object() && wanted.is_object()) return add_objects(path, found, wanted);
    if (found.is_array() && wanted.is_array()) return add_lists(path, found, wanted);
    texts_.push_back(fmt::format("{} ({}, not {})", path, value_text(wanted), value_text(found)));
  }

  [[nodiscard]] const std::vector<std::string>& texts() const noexcept { return texts_; }

 private:
  /// Elements of a list, with their positions.
  using Elements = std::vector<std::pair<std::size_t, Json>>;

  /// Text of a value. A member that one of two objects does not have is null.
  static std::string value_text(const Json& value) {
    return value.is_null() ? "absent" : shown_json(value);
  }

  /// Returns the elements of a list that another list does not have, or has fewer times.
  static Elements elements_missing_in(const Json& other, const Json& list) {
    std::map<Json, std::size_t> others;
    for (const Json& element : other) ++others[element];
    Elements missing;
    for (std::size_t i = 0; i < list.size(); ++i) {
      std::size_t& num_left = others[list[i]];
      if (num_left == 0) {
        missing.emplace_back(i, list[i]);
      } else {
        --num_left;
      }
    }
    return missing;
  }

  void add_objects(const std::string& path, const Json& found, const Json& wanted) {
    std::set<std::string> names;
    for (const Json* object : {&found, &wanted}) {
      for (const auto& [name, value] : object->items()) names.insert(name);
    }
    for (const std::string& name : names) {
      add(path + "/" + name, found.value(name, Json()), wanted.value(name, Json()));
    }
  }

  void add_lists(const std::string& path, const Json& found, const Json& wanted) {
    const Elements removed = elements_missing_in(wanted, found);
    const Elements added = elements_missing_in(found, wanted);
    const bool are_objects =
        std::ranges::all_of(added, [](const auto& element) { return element.second.is_object(); });
    // Objects are compared in pairs, so that the text names the members that differ.
    const std::size_t num_pairs = are_objects ? std::min(removed.size(), added.size()) : 0;
    for (std::size_t i = 0; i < num_pairs; ++i) {
      add(fmt::format("{}/{}", path, added[i].first), removed[i].second, added[i].second);
    }
    const auto rest = static_cast<std::ptrdiff_t>(num_pairs);
    std::vector<std::string> parts;
    if (added.begin() + rest != added.end())
      parts.push_back("with " + text_of({added.begin() + rest, added.end()}));
    if (removed.begin() + rest != removed.end())
      parts.push_back("without " + text_of({removed.begin() + rest, removed.end()}));
    if (!parts.empty()) texts_.push_back(fmt::format("{} ({})", path, joined(parts, {}, "; ")));
  }

  static std::string text_of(const Elements& elements) {
    return joined(elements, [](const auto& element) { return shown_json(element.second); });
  }

  std::vector<std::string> texts_;
};

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
  Differences all;
  all.add("", found, wanted);
  std::vector<std::string> differences = all.texts();
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
