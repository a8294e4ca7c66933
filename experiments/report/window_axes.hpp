#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/unit/unit.hpp"
#include "experiments/verdict/summary.hpp"

namespace bloometry::report {

class Wording;

/// The axes of the parts of a window. Rows with different windows differ in the label of one of
/// them.
inline constexpr std::array<std::string_view, 4> kWindowAxes = {
    "window_size", "window_inserts_per_tick", "window_reinsert", "window_erase"};

/// Returns the names and then those of kChurnAxes, kWindowAxes and kStreamAxes.
[[nodiscard]] std::vector<std::string_view> with_workload_axes(std::vector<std::string_view> names);

/// Returns a part of the row's window. All parts are 0 without a window.
template <auto StreamWindow::*Part>
[[nodiscard]] std::optional<double> window_part(const SummaryRow& row) {
  return static_cast<double>(row.window.value_or(StreamWindow()).*Part);
}

// The functions label_window_* return the labels of the parts, such as "window of 100 keys" and
// "reinserts 0.2". Without a window, all labels are "no window".

[[nodiscard]] std::string label_window_size(const SummaryRow& row, const Wording&);
[[nodiscard]] std::string label_window_inserts(const SummaryRow& row, const Wording&);
[[nodiscard]] std::string label_window_reinsert(const SummaryRow& row, const Wording&);
[[nodiscard]] std::string label_window_erase(const SummaryRow& row, const Wording&);

}  // namespace bloometry::report
