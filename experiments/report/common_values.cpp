#include "experiments/report/common_values.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "core/text.hpp"
#include "experiments/report/churn_axes.hpp"
#include "experiments/report/labels.hpp"
#include "experiments/report/stream_axes.hpp"
#include "experiments/report/window_axes.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/verdict/row_names.hpp"

namespace bloometry::report {
namespace {

/// Returns the parameters that all rows share as text. The text does not contain the initial
/// capacity, which about_initial_capacity() states.
std::string shared_params_text(const Rows& rows) {
  std::set<std::string> all;
  for (const SummaryRow* row : rows) all.insert(row->params);
  nlohmann::json shared = nlohmann::json::parse(*all.begin(), nullptr, false);
  if (!shared.is_object()) return "";
  shared.erase("initial_capacity");
  for (const std::string& text : all) {
    const nlohmann::json params = nlohmann::json::parse(text, nullptr, false);
    for (auto entry = shared.begin(); entry != shared.end();) {
      const auto found = params.find(entry.key());
      const bool is_shared = found != params.end() && *found == entry.value();
      entry = is_shared ? std::next(entry) : shared.erase(entry);
    }
  }
  return shared.empty() ? "" : params_text(shared.dump());
}

bool is_part_of_churn(std::string_view name) {
  return std::find(kChurnAxes.begin(), kChurnAxes.end(), name) != kChurnAxes.end();
}

bool is_part_of_window(std::string_view name) {
  return std::find(kWindowAxes.begin(), kWindowAxes.end(), name) != kWindowAxes.end();
}

bool is_part_of_stream(std::string_view name) {
  return std::find(kStreamAxes.begin(), kStreamAxes.end(), name) != kStreamAxes.end();
}

/// Returns the text of a row's value on an axis, or an empty string without a value.
/// @param has_churn whether any row of the chart has churn
std::string text_of(const Axis& axis, const SummaryRow& row, const Wording& wording,
                    bool has_churn) {
  if (axis.name == "capacity" && (!row.capacity || row.initial_capacity)) return "";
  if (axis.name == "churn") return row.churn ? churn_text(row.churn) : "";
  if (is_part_of_churn(axis.name) && !row.churn) return "";
  if (axis.name == "window") return row.window ? window_text(row.window) : "";
  if (is_part_of_window(axis.name) && !row.window) return "";
  if (is_part_of_stream(axis.name) && !row.stream) return "";
  if (axis.name == "num_inserted" && row.stream) {
    return fmt::format("n = {}", plural(row.num_inserted, "item"));
  }
  if (axis.name == "num_inserted" && row.window) {
    return fmt::format("n = {}", plural(row.num_inserted, "insert call"));
  }
  if (axis.name == "num_inserted") {
    return fmt::format("n = {}{}", plural(row.num_inserted, "key"),
                       has_churn ? " inserted before churn" : "");
  }
  const std::string label = axis.label(row, wording);
  if (axis.name == "probes") return label + " probes";
  return axis.name == "hash" ? label + " hash" : label;
}

template <class Part>
bool has_same(Part SummaryRow::*part, const Rows& rows) {
  return std::all_of(rows.begin(), rows.end(),
                     [&](const SummaryRow* row) { return row->*part == rows.front()->*part; });
}

template <class Names>
void append(std::vector<std::string_view>& names, const Names& more) {
  names.insert(names.end(), std::begin(more), std::end(more));
}

/// Returns the axes whose common values a caption names.
std::vector<std::string_view> axes_of(const Rows& rows) {
  std::vector<std::string_view> names = {"params",     "size",   "num_inserted", "capacity",
                                         "num_hashes", "probes", "hash",         "keys"};
  // Rows with different churn, different windows or different streams may share parts of it.
  if (has_same(&SummaryRow::churn, rows)) {
    names.emplace_back("churn");
  } else {
    append(names, kChurnAxes);
  }
  if (has_same(&SummaryRow::window, rows)) {
    names.emplace_back("window");
  } else {
    append(names, kWindowAxes);
  }
  append(names, kStreamAxes);
  return names;
}

/// Returns the texts of the values that all rows share, by the name of their axis.
std::map<std::string_view, std::string> shared_texts(const Rows& rows, const Wording& wording) {
  const bool has_churn = std::any_of(rows.begin(), rows.end(),
                                     [](const SummaryRow* row) { return row->churn.has_value(); });
  std::map<std::string_view, std::string> texts;
  for (const std::string_view name : axes_of(rows)) {
    if (name == "params") {
      const std::string text = shared_params_text(rows);
      if (!text.empty()) texts[name] = text;
      continue;
    }
    const Axis& common = axis(name);
    const std::string text = text_of(common, *rows.front(), wording, has_churn);
    const bool is_common = std::all_of(rows.begin(), rows.end(), [&](const SummaryRow* row) {
      return text_of(common, *row, wording, has_churn) == text;
    });
    if (is_common && !text.empty()) texts[name] = text;
  }
  return texts;
}

std::map<std::string, Rows> by_variant(const Rows& rows) {
  std::map<std::string, Rows> groups;
  for (const SummaryRow* row : rows) groups[row->variant].push_back(row);
  return groups;
}

/// Returns the texts in the order of the axes.
std::vector<std::string> in_order(const std::map<std::string_view, std::string>& texts,
                                  const Rows& rows) {
  std::vector<std::string> ordered;
  for (const std::string_view name : axes_of(rows)) {
    const auto found = texts.find(name);
    if (found != texts.end()) ordered.push_back(found->second);
  }
  return ordered;
}

}  // namespace

std::string about_common_values(const Rows& rows, const Wording& wording,
                                const NamesValue& is_named) {
  if (rows.empty()) return "";
  std::map<std::string_view, std::string> of_all = shared_texts(rows, wording);
  const std::map<std::string, Rows> groups = by_variant(rows);
  std::string of_variants;
  if (groups.size() > 1) {
    of_all.erase("params");  // equal names of different variants may have different meanings
    for (const auto& [variant, group] : groups) {
      std::map<std::string_view, std::string> texts = shared_texts(group, wording);
      std::erase_if(texts, [&](const auto& entry) {
        return of_all.contains(entry.first) || (is_named && is_named(group, axis(entry.first)));
      });
      if (texts.empty()) continue;
      of_variants += fmt::format("{} {}: {}", of_variants.empty() ? "" : ";", variant,
                                 joined(in_order(texts, group)));
    }
  }
  const std::string about_all =
      of_all.empty() ? "" : fmt::format(" All points: {}.", joined(in_order(of_all, rows)));
  return of_variants.empty() ? about_all
                             : fmt::format("{} All points of{}.", about_all, of_variants);
}

std::string about_differences(const Rows& rows, const Wording& wording,
                              const std::vector<const Axis*>& named) {
  const std::vector<std::string_view> names = {"variant",  "params",     "size",   "num_inserted",
                                               "capacity", "num_hashes", "probes", "hash",
                                               "keys",     "churn",      "window", "stream"};
  std::vector<const Axis*> axes = varying(names, rows, wording);
  std::map<std::string, Rows> rows_of;  // by the name of the series
  for (const SummaryRow* row : rows) rows_of[joined_label(named, *row, wording)].push_back(row);
  std::erase_if(axes, [&](const Axis* axis) {
    const bool is_named = std::any_of(named.begin(), named.end(), [&](const Axis* other) {
      return other == axis || (axis->name == "churn" && is_part_of_churn(other->name)) ||
             (axis->name == "window" && is_part_of_window(other->name)) ||
             (axis->name == "stream" && is_part_of_stream(other->name));
    });
    return is_named || std::none_of(rows_of.begin(), rows_of.end(), [&](const auto& of_series) {
             return differ_in(of_series.second, *axis, wording);
           });
  });
  return axes.empty()
             ? ""
             : fmt::format(" Marks{} differ in: {}.", named.empty() ? "" : " of one colour",
                           joined(axes, &Axis::title));
}

}  // namespace bloometry::report
