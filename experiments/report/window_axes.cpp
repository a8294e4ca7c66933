#include "experiments/report/window_axes.hpp"

#include <fmt/core.h>

#include "experiments/report/churn_axes.hpp"
#include "experiments/report/stream_axes.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

std::string label_share(const char* word, double StreamWindow::*share, const SummaryRow& row) {
  return row.window ? fmt::format("{} {}", word, number_text((*row.window).*share)) : "no window";
}

}  // namespace

std::vector<std::string_view> with_workload_axes(std::vector<std::string_view> names) {
  names.insert(names.end(), kChurnAxes.begin(), kChurnAxes.end());
  names.insert(names.end(), kWindowAxes.begin(), kWindowAxes.end());
  names.insert(names.end(), kStreamAxes.begin(), kStreamAxes.end());
  return names;
}

std::string label_window_size(const SummaryRow& row, const Wording&) {
  if (!row.window) return "no window";
  return "window of " + plural(row.window->size, row.window->is_in_ticks() ? "tick" : "key");
}

std::string label_window_inserts(const SummaryRow& row, const Wording&) {
  if (!row.window) return "no window";
  if (!row.window->is_in_ticks()) return "no ticks";
  return plural(row.window->inserts_per_tick, "insert") + " per tick";
}

std::string label_window_reinsert(const SummaryRow& row, const Wording&) {
  return label_share("reinserts", &StreamWindow::reinsert, row);
}

std::string label_window_erase(const SummaryRow& row, const Wording&) {
  return label_share("erases", &StreamWindow::erase, row);
}

}  // namespace bloometry::report
