#include "experiments/report/untested.hpp"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <map>
#include <utility>

#include "core/text.hpp"
#include "experiments/chart/chart_style.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

// Signs of strokes, which differ from the filled outlines of tested points: a cross, a plus, four
// angles, and a stroke. Two signs at one place do not look like a third one.
constexpr auto kSigns = std::to_array<const char*>(
    {"M-1,-1L1,1M-1,1L1,-1", "M0,-1.2L0,1.2M-1.2,0L1.2,0", "M0.8,-1L-1,0L0.8,1",
     "M-1,0.8L0,-1L1,0.8", "M-1,-0.8L0,1L1,-0.8", "M-0.8,-1L1,0L-0.8,1", "M-1.2,0L1.2,0"});

constexpr const char* kOtherReasons = "not tested: other reasons";

std::map<std::string, std::size_t> counts_of(const Rows& rows) {
  std::map<std::string, std::size_t> counts;
  for (const SummaryRow* row : rows) {
    if (!row->tested) ++counts[row->exemption_reason];
  }
  return counts;
}

std::string entry_of(const std::string& reason) {
  return reason.empty() ? "not tested" : "not tested: " + reason;
}

constexpr const char* kTested = "tested";

}  // namespace

std::size_t num_untested(const Rows& rows) {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const SummaryRow* row) { return !row->tested; }));
}

std::string about_untested(const Rows& rows, const std::string& marks) {
  constexpr std::size_t kMostNamed = 6;
  const std::map<std::string, std::size_t> counts = counts_of(rows);
  if (counts.empty()) return "";
  std::vector<std::string> reasons;
  for (const auto& [reason, count] : counts) {
    if (!reason.empty()) reasons.push_back(fmt::format("{} ({})", reason, grouped(count)));
  }
  const std::size_t num_more = reasons.size() - std::min(reasons.size(), kMostNamed);
  reasons.resize(reasons.size() - num_more);
  if (num_more > 0) reasons.push_back(plural(num_more, "other reason"));
  return fmt::format(
      " `verify` does not test {} of these {} points ({}), because theory does not describe their "
      "chance; they may deviate by any amount{}{}.",
      grouped(num_untested(rows)), grouped(rows.size()), marks, reasons.empty() ? "" : ": ",
      joined(reasons, {}, "; "));
}

UntestedEntries::UntestedEntries(const Rows& rows) {
  for (const auto& [reason, count] : counts_of(rows)) {
    const bool has_room = reasons_.size() + 1 < kSigns.size();
    if (has_room) reasons_.push_back(reason);
    const std::string entry = has_room ? entry_of(reason) : kOtherReasons;
    if (entries_.empty() || entries_.back() != entry) entries_.push_back(entry);
  }
}

std::string UntestedEntries::of(const SummaryRow& row) const {
  const bool has_own =
      std::find(reasons_.begin(), reasons_.end(), row.exemption_reason) != reasons_.end();
  return has_own ? entry_of(row.exemption_reason) : kOtherReasons;
}

std::string UntestedEntries::sign(std::size_t number) {
  return kSigns.at(number);
}

TestedLegend::TestedLegend(Labels series, const Rows& rows, std::span<const SummaryRow> run)
    : series_(std::move(series)),
      untested_(rows),
      has_tested_(num_untested(rows) < rows.size()),
      run_(run) {}

std::string TestedLegend::entry_of(const SummaryRow& row) const {
  return row.tested ? kTested : untested_.of(row);
}

nlohmann::json TestedLegend::channels() const {
  constexpr std::size_t kLetters = 36;
  nlohmann::json channels =
      chart::series_channels(series_.title(), series_.in_order(), series_.colours(run_));
  if (untested_.in_order().empty()) return channels;
  std::vector<std::string> entries;
  nlohmann::json signs = nlohmann::json::array();
  if (has_tested_) {
    entries.emplace_back(kTested);
    signs.push_back(chart::series_shapes()[0]);
  }
  for (std::size_t i = 0; i < untested_.in_order().size(); ++i) {
    entries.push_back(untested_.in_order()[i]);
    signs.push_back(UntestedEntries::sign(i));
  }
  channels["shape"] = {
      {"field", "entry"},
      {"type", "nominal"},
      {"scale", {{"domain", entries}, {"range", signs}}},
      {"legend",
       {{"title", "by `verify`"},
        {"symbolStrokeColor", "#666"},
        {"labelExpr", chart::label_expr(chart::lines_of_labels(entries, kLetters))}}}};
  return channels;
}

std::vector<int> TestedLegend::mark_sizes(
    const Rows& rows, const std::function<MarkPosition(const SummaryRow&)>& position) const {
  constexpr int kSmallest = 26;
  std::vector<MarkPosition> marks;
  std::vector<std::string> names;
  for (const SummaryRow* row : rows) {
    marks.push_back(position(*row));
    names.push_back(series_of(*row));
  }
  std::vector<int> sizes;
  for (const std::size_t place : places_of_series(marks, names)) {
    sizes.push_back(kSmallest * mark_size_factor(place));
  }
  return sizes;
}

std::string TestedLegend::about_sizes(const std::vector<int>& sizes) {
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  return sizes.empty() || *least == *most
             ? ""
             : " Where marks of several series overlap, their sizes differ.";
}

}  // namespace bloometry::report
