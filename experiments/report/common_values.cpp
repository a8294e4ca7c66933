#include "experiments/report/common_values.hpp"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/text.hpp"
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

/// Returns the text of a row's value on an axis, or an empty string without a value.
std::string text_of(const Axis& axis, const SummaryRow& row, const Wording& wording) {
  if (axis.name == "params") return text_of_params(row);
  if (axis.name == "capacity" && (!row.capacity || row.initial_capacity)) return "";
  if (axis.name == "num_inserted") return "n = " + plural(row.num_inserted, "key");
  const std::string label = axis.label(row, wording);
  if (axis.name == "probes") return label + " probes";
  return axis.name == "hash" ? label + " hash" : label;
}

bool have_one_variant(const Rows& rows) {
  return std::all_of(rows.begin(), rows.end(),
                     [&](const SummaryRow* row) { return row->variant == rows.front()->variant; });
}

}  // namespace

std::string about_common_values(const Rows& rows, const Wording& wording) {
  constexpr std::array<std::string_view, 8> kAxes = {
      "params", "size", "num_inserted", "capacity", "num_hashes", "probes", "hash", "keys"};
  if (rows.empty()) return "";
  std::vector<std::string> texts;
  for (const std::string_view name : kAxes) {
    // The parameters and probe schemes of different variants have nothing in common.
    const bool is_of_variant = name == "params" || name == "probes";
    if (is_of_variant && !have_one_variant(rows)) continue;
    const Axis& common = axis(name);
    const std::string text = text_of(common, *rows.front(), wording);
    const bool is_common = std::all_of(rows.begin(), rows.end(), [&](const SummaryRow* row) {
      return text_of(common, *row, wording) == text;
    });
    if (is_common && !text.empty()) texts.push_back(text);
  }
  return texts.empty() ? "" : fmt::format(" All points: {}.", joined(texts));
}

}  // namespace bloometry::report
