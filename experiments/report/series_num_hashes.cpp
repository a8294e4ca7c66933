#include "experiments/report/series_num_hashes.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/core.h>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/text.hpp"
#include "experiments/report/selection.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

/// The values of k of some rows. A value without a number is a k that the filter chooses.
using NumHashes = std::set<std::optional<std::uint64_t>>;

/// Returns text such as "k = 7", "k = 3, 5, 8", "k = 3 to 14" or "k chosen by the filter".
std::string text_of(const NumHashes& values) {
  constexpr std::size_t kMostListed = 3;
  std::vector<std::string> numbers;
  for (const auto& value : values) {
    if (value) numbers.push_back(std::to_string(*value));
  }
  if (numbers.empty()) return "k chosen by the filter";
  const std::string listed = numbers.size() <= kMostListed
                                 ? joined(numbers)
                                 : fmt::format("{} to {}", numbers.front(), numbers.back());
  return fmt::format("k = {}{}", listed, values.contains(std::nullopt) ? " or own" : "");
}

/// Returns the values of k by label.
std::map<std::string, NumHashes> num_hashes_by(const Labels& labels, const Rows& rows) {
  std::map<std::string, NumHashes> found;
  for (const SummaryRow* row : rows) found[labels.of(*row)].insert(row->num_hashes);
  return found;
}

/// Returns the text of the values of k by label.
std::map<std::string, std::string> texts_of(const std::map<std::string, NumHashes>& values) {
  std::map<std::string, std::string> texts;
  for (const auto& [label, of_label] : values) texts[label] = text_of(of_label);
  return texts;
}

bool are_equal(const std::map<std::string, NumHashes>& values) {
  return std::all_of(values.begin(), values.end(),
                     [&](const auto& entry) { return entry.second == values.begin()->second; });
}

bool have_one_each(const std::map<std::string, NumHashes>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](const auto& entry) { return entry.second.size() == 1; });
}

/// Returns the rows of the series that contain a row with another k, unless they are so many that
/// texts beside their marks would overlap.
std::set<const SummaryRow*> rows_to_name(const Drawing& drawing) {
  constexpr std::size_t kMostNamed = 24;
  const auto key_of = [&](const SummaryRow& row) {
    return std::pair(drawing.series.of(row), drawing.views.of(row));
  };
  std::set<std::pair<std::string, std::string>> mixed;
  for (const SummaryRow* row : drawing.other_num_hashes) mixed.insert(key_of(*row));
  std::set<const SummaryRow*> named;
  for (const SummaryRow* row : drawing.rows()) {
    if (row->num_hashes && mixed.contains(key_of(*row))) named.insert(row);
  }
  return named.size() > kMostNamed ? std::set<const SummaryRow*>() : named;
}

}  // namespace

void name_num_hashes(Drawing& drawing) {
  const Rows& rows = drawing.rows();
  if (rows.empty()) return;
  const std::string_view title = axis("num_hashes").title;
  const auto by_view = num_hashes_by(drawing.views, rows);
  const auto by_series = num_hashes_by(drawing.series, rows);
  const bool is_clear_by_series = have_one_each(by_series) && !are_equal(by_series);
  if (!are_equal(by_view) && (have_one_each(by_view) || !is_clear_by_series)) {
    drawing.views.append(texts_of(by_view), title);
  } else if (!are_equal(by_series)) {
    drawing.series.append(texts_of(by_series), title);
  } else if (by_series.begin()->second.size() > 1) {
    drawing.notes += fmt::format(" {}; tooltips and summary.csv have the k of each mark.",
                                 text_of(by_series.begin()->second));
  } else if (rows.front()->num_hashes) {
    drawing.notes += fmt::format(" All have k = {}.", *rows.front()->num_hashes);
  }
}

void mark_other_num_hashes(Drawing& drawing) {
  drawing.other_num_hashes = at_other_num_hashes(drawing.rows(), drawing.input.wording);
  drawing.named_num_hashes = rows_to_name(drawing);
  const auto is_filled = [&](const SummaryRow* row) {
    return !drawing.is_rate() || row->num_false_positives > 0;
  };
  const auto count = static_cast<std::size_t>(
      std::count_if(drawing.other_num_hashes.begin(), drawing.other_num_hashes.end(), is_filled));
  if (count == 0) return;
  drawing.notes +=
      fmt::format(" {} filled: {} another k than the other marks of {}{}.",
                  count == 1 ? "1 mark is" : grouped(count) + " marks are",
                  count == 1 ? "it has" : "they have", count == 1 ? "its filter" : "their filters",
                  drawing.named_num_hashes.empty() ? "" : "; k is beside the marks");
}

}  // namespace bloometry::report
