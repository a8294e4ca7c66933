#include "experiments/report/common_values.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/text.hpp"
#include "experiments/report/churn_axes.hpp"
#include "experiments/report/labels.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/verdict/row_names.hpp"

namespace bloometry::report {
namespace {

/// Returns the parameters of a row as text. The text does not contain the initial capacity, which
/// about_initial_capacity() states.
std::string text_of_params(const SummaryRow& row) {
  nlohmann::json params = nlohmann::json::parse(row.params, nullptr, false);
  if (!params.is_object()) return "";
  params.erase("initial_capacity");
  return params.empty() ? "" : params_text(params.dump());
}

bool is_part_of_churn(std::string_view name) {
  return std::find(kChurnAxes.begin(), kChurnAxes.end(), name) != kChurnAxes.end();
}

/// Returns the text of a row's value on an axis, or an empty string without a value.
/// @param has_churn whether any row of the chart has churn
std::string text_of(const Axis& axis, const SummaryRow& row, const Wording& wording,
                    bool has_churn) {
  if (axis.name == "params") return text_of_params(row);
  if (axis.name == "capacity" && (!row.capacity || row.initial_capacity)) return "";
  if (axis.name == "churn") return row.churn ? churn_text(row.churn) : "";
  if (is_part_of_churn(axis.name) && !row.churn) return "";
  if (axis.name == "num_inserted") {
    return fmt::format("n = {}{}", plural(row.num_inserted, "key"),
                       has_churn ? " inserted before churn" : "");
  }
  const std::string label = axis.label(row, wording);
  if (axis.name == "probes") return label + " probes";
  return axis.name == "hash" ? label + " hash" : label;
}

bool has_same_churn(const Rows& rows) {
  return std::all_of(rows.begin(), rows.end(),
                     [&](const SummaryRow* row) { return row->churn == rows.front()->churn; });
}

bool have_one_variant(const Rows& rows) {
  return std::all_of(rows.begin(), rows.end(),
                     [&](const SummaryRow* row) { return row->variant == rows.front()->variant; });
}

}  // namespace

std::string about_common_values(const Rows& rows, const Wording& wording) {
  if (rows.empty()) return "";
  std::vector<std::string_view> names = {"params",     "size",   "num_inserted", "capacity",
                                         "num_hashes", "probes", "hash",         "keys"};
  // Rows with different churn may share parts of it.
  if (has_same_churn(rows)) {
    names.emplace_back("churn");
  } else {
    names = with_churn(std::move(names));
  }
  const bool has_churn = std::any_of(rows.begin(), rows.end(),
                                     [](const SummaryRow* row) { return row->churn.has_value(); });
  std::vector<std::string> texts;
  for (const std::string_view name : names) {
    // The parameters and probe schemes of different variants have nothing in common.
    const bool is_of_variant = name == "params" || name == "probes";
    if (is_of_variant && !have_one_variant(rows)) continue;
    const Axis& common = axis(name);
    const std::string text = text_of(common, *rows.front(), wording, has_churn);
    const bool is_common = std::all_of(rows.begin(), rows.end(), [&](const SummaryRow* row) {
      return text_of(common, *row, wording, has_churn) == text;
    });
    if (is_common && !text.empty()) texts.push_back(text);
  }
  return texts.empty() ? "" : fmt::format(" All points: {}.", joined(texts));
}

std::string about_differences(const Rows& rows, const Wording& wording) {
  const std::vector<std::string_view> names = {"variant",  "params",     "size",   "num_inserted",
                                               "capacity", "num_hashes", "probes", "hash",
                                               "keys",     "churn"};
  const std::vector<const Axis*> axes = varying(names, rows, wording);
  return axes.empty() ? "" : fmt::format(" The marks differ in: {}.", joined(axes, &Axis::title));
}

}  // namespace bloometry::report
