#include <algorithm>
#include <fmt/core.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/cli/sweep/sweep_folders.hpp"
#include "experiments/cli/sweep/sweep_options.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/output/repair.hpp"
#include "experiments/text/printable.hpp"
#include "experiments/unit/row_columns.hpp"
#include "experiments/unit/spec_text.hpp"
#include "experiments/verdict/row_names.hpp"

namespace bloometry {
namespace {

constexpr std::size_t kMaxShown = 50;

template <class Number>
std::string range_text(Number lowest, Number highest) {
  const std::string first = grouped(lowest);
  return lowest == highest ? first : fmt::format("{} .. {}", first, grouped(highest));
}

/// Returns the smallest and the largest value of the given member among the points of a unit.
template <class Number>
std::pair<Number, Number> range_of(const Unit& unit, Number Point::*member) {
  const auto [lowest, highest] =
      std::minmax_element(unit.points.begin(), unit.points.end(),
                          [&](const Point& a, const Point& b) { return a.*member < b.*member; });
  return {(*lowest).*member, (*highest).*member};
}

std::string text_of(const Unit& unit) {
  const auto [min_keys, max_keys] = range_of(unit, &Point::num_inserted);
  const auto [min_hashes, max_hashes] = range_of(unit, &Point::num_hashes);
  return fmt::format("{}: {}, {}, {}{}{}{}{} probes, {}, {} keys, trial {}, n = {}{}", unit.id,
                     unit.variant, size_text(unit.spec),
                     unit.params == "{}" ? "" : params_text(unit.params) + ", ",
                     unit.churn ? churn_text(unit.churn) + ", " : "",
                     unit.window ? window_text(unit.window) + ", " : "",
                     unit.stream ? stream_text(unit.stream) + ", " : "", unit.probes, unit.hash,
                     unit.keys.name, unit.trial, range_text(min_keys, max_keys),
                     max_hashes > 0 ? ", k = " + range_text(min_hashes, max_hashes) : "");
}

/// Prints the first items of a long list, one item per line. The items are escaped, because a file
/// name or a damaged line may contain any bytes.
template <class Items, class Text>
void print_first(const Items& items, Text text) {
  const std::size_t num_shown = std::min(items.size(), kMaxShown);
  for (std::size_t i = 0; i < num_shown; ++i) {
    std::cout << "  " << printable(text(items[i]), kMaxMessage) << '\n';
  }
  if (num_shown < items.size()) {
    std::cout << "  and " << grouped(items.size() - num_shown) << " more (--json lists all)\n";
  }
}

void print_dropped(const Repair& repair) {
  if (repair.dropped.empty()) return;
  std::cout << "Damaged lines removed: " << grouped(repair.dropped.size()) << '\n';
  print_first(repair.dropped, [](const DamagedLine& line) {
    return fmt::format("{}, line {}: {}", line.part.string(), line.number, line.why);
  });
  std::cout << "The removed lines are kept in:\n";
  print_first(repair.kept_in, [](const auto& path) { return path.string(); });
}

void print_text(const Repair& repair) {
  print_dropped(repair);
  if (!repair.missing.empty()) {
    std::cout << "Missing or empty parts whose units are not listed by another file:\n";
    print_first(repair.missing, [](const auto& name) { return name; });
  }
  if (!repair.lost.empty()) {
    std::cout << "Units lost: " << grouped(repair.lost.size()) << '\n';
    print_first(repair.lost, text_of);
  }
  if (repair.found_nothing()) std::cout << "the run does not need a repair\n";
  std::cout << grouped(repair.num_finished_units) << " of " << plural(repair.num_units, "unit")
            << (repair.num_units == 1 ? " is" : " are") << " finished\n";
  if (repair.num_finished_units < repair.num_units) {
    std::cout
        << "To resume the run, give `bloometry sweep run` the same config and folder again.\n";
  }
}

nlohmann::ordered_json to_json(const DamagedLine& line) {
  nlohmann::ordered_json unit = nullptr;
  if (!line.unit.empty()) unit = line.unit;
  return {{"part", line.part.string()}, {"line", line.number}, {"unit", unit}, {"why", line.why}};
}

nlohmann::ordered_json to_json(const Unit& unit) {
  nlohmann::ordered_json json = {{"unit", unit.id},
                                 {"variant", unit.variant},
                                 {"size", size_text(unit.spec)},
                                 {"keys", unit.keys.name},
                                 {"hash", unit.hash},
                                 {"probes", unit.probes},
                                 {"params", nlohmann::ordered_json::parse(unit.params)},
                                 {"trial", unit.trial},
                                 {"num_keys", range_of(unit, &Point::num_inserted)},
                                 {"num_hashes", range_of(unit, &Point::num_hashes)}};
  for_each_churn_column(unit.churn, [&](const char* name, auto value) { json[name] = value; });
  if (unit.window) {
    for_each_window_column(unit.window, [&](const char* name, auto value) { json[name] = value; });
  }
  if (unit.stream) {
    for_each_stream_column(unit.stream, [&](const char* name, auto value) { json[name] = value; });
  }
  return json;
}

void print_json(const Repair& repair, const std::filesystem::path& folder) {
  nlohmann::ordered_json json = {{"folder", folder.string()},
                                 {"dropped", nlohmann::ordered_json::array()},
                                 {"kept_in", nlohmann::ordered_json::array()},
                                 {"missing", repair.missing},
                                 {"lost", nlohmann::ordered_json::array()},
                                 {"num_units", repair.num_units},
                                 {"num_finished_units", repair.num_finished_units}};
  for (const DamagedLine& line : repair.dropped) json["dropped"].push_back(to_json(line));
  for (const auto& path : repair.kept_in) json["kept_in"].push_back(path.string());
  for (const Unit& unit : repair.lost) json["lost"].push_back(to_json(unit));
  std::cout << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
}

}  // namespace

int sweep_repair_command(const std::filesystem::path& folder, bool json) {
  require_no_folder_of_runs(folder, "sweep repair");
  const Repair repair = repair_run(folder);
  if (json) {
    print_json(repair, folder);
  } else {
    print_text(repair);
  }
  return kDone;
}

}  // namespace bloometry
