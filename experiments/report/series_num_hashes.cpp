#include "experiments/report/series_num_hashes.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/core.h>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "experiments/report/num_hashes_places.hpp"
#include "experiments/report/selection.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

constexpr std::size_t kMostListed = 3;  ///< values of k that a legend lists

/// The values of k of some rows. A value without a number is a k that the filter chooses.
using NumHashes = std::set<std::optional<std::uint64_t>>;

/// Returns text such as "7", "3, 5, 8", "3 to 14" or "chosen by the filter".
std::string text_of(const NumHashes& values) {
  std::vector<std::string> numbers;
  for (const auto& value : values) {
    if (value) numbers.push_back(std::to_string(*value));
  }
  if (numbers.empty()) return "chosen by the filter";
  const std::string listed = numbers.size() <= kMostListed
                                 ? joined(numbers)
                                 : fmt::format("{} to {}", numbers.front(), numbers.back());
  return listed + (values.contains(std::nullopt) ? " or own" : "");
}

/// The values of k of the marks of one label.
struct LabelNumHashes {
  NumHashes usual{};      ///< of the marks that have the k of their filter
  NumHashes filled{};     ///< of filled marks, which have another k
  NumHashes triangles{};  ///< of upper bounds with another k

  friend bool operator==(const LabelNumHashes&, const LabelNumHashes&) = default;
};

using NumHashesByLabel = std::map<std::string, LabelNumHashes>;

/// Returns text such as "k = 7" or "k = 7 (filled marks: 6)".
std::string text_of(const LabelNumHashes& values) {
  std::string text = values.usual == NumHashes{std::nullopt} ? "k " : "k = ";
  text += values.usual.empty() ? "other" : text_of(values.usual);
  std::vector<std::string> others;
  if (!values.filled.empty()) others.push_back("filled marks: " + text_of(values.filled));
  if (!values.triangles.empty()) others.push_back("triangles: " + text_of(values.triangles));
  return others.empty() ? text : fmt::format("{} ({})", text, joined(others, {}, "; "));
}

/// Returns whether the row has another k than its series and a filled mark. A row of a rate without
/// false positives has a hollow triangle.
bool is_filled(const Drawing& drawing, const SummaryRow* row) {
  return drawing.other_num_hashes.contains(row) &&
         (!drawing.is_rate() || row->num_false_positives > 0);
}

/// Returns the values of k by label.
NumHashesByLabel num_hashes_by(const Labels& labels, const Drawing& drawing) {
  NumHashesByLabel found;
  for (const SummaryRow* row : drawing.rows()) {
    // The line of theory has the k of a row without a mark.
    if (is_unmarked(drawing, *row) && drawing.other_num_hashes.contains(row)) continue;
    LabelNumHashes& of_label = found[labels.of(*row)];
    NumHashes& of_marks = is_filled(drawing, row)                  ? of_label.filled
                          : drawing.other_num_hashes.contains(row) ? of_label.triangles
                                                                   : of_label.usual;
    of_marks.insert(row->num_hashes);
  }
  return found;
}

/// Returns the text of the values of k by label.
std::map<std::string, std::string> texts_of(const NumHashesByLabel& values) {
  std::map<std::string, std::string> texts;
  for (const auto& [label, of_label] : values) texts[label] = text_of(of_label);
  return texts;
}

bool are_equal(const NumHashesByLabel& values) {
  return std::all_of(values.begin(), values.end(),
                     [&](const auto& entry) { return entry.second == values.begin()->second; });
}

bool have_one_each(const NumHashesByLabel& values) {
  return std::all_of(values.begin(), values.end(),
                     [](const auto& entry) { return entry.second.usual.size() == 1; });
}

/// Returns the marks with the k of their filter, placed by `place`.
template <class Place>
std::vector<KMark> usual_marks(const Drawing& drawing, const Place& place) {
  std::vector<KMark> marks;
  for (const SummaryRow* row : drawing.rows()) {
    if (drawing.other_num_hashes.contains(row) || !row->num_hashes) continue;
    const auto [order, name] = place(*row);
    marks.push_back({drawing.series.of(*row), order, name, *row->num_hashes});
  }
  return marks;
}

/// Returns the marks with the k of their filter, placed by their x.
std::vector<KMark> usual_marks_by_x(const Drawing& drawing) {
  return usual_marks(drawing, [&](const SummaryRow& row) {
    const double x = *drawing.request.x->value(row);
    return std::pair(x, text_of_number(x));
  });
}

/// Returns the sentence that states the k of each mark of series with several k, by view or else by
/// x, or an empty string if neither determines k.
std::string about_each_num_hashes(const Drawing& drawing) {
  const std::vector<std::string>& views = drawing.views.in_order();
  std::optional<std::string> text = num_hashes_by_place(
      usual_marks(drawing,
                  [&](const SummaryRow& row) {
                    const std::string view = drawing.views.of(row);
                    const auto found = std::find(views.begin(), views.end(), view);
                    return std::pair(static_cast<double>(found - views.begin()), view);
                  }),
      PlaceText::kNames);
  if (!text && drawing.has_lines()) {
    text = num_hashes_by_place(usual_marks_by_x(drawing), PlaceText::kRanges);
    if (text) *text += " (x axis)";
  }
  return text ? fmt::format(" The {}.", *text) : "";
}

/// Returns whether a legend with the values of k lists them in the order of the marks.
bool are_listed_in_order(const NumHashesByLabel& values, const Drawing& drawing) {
  const auto are_listed = [](const auto& entry) {
    const LabelNumHashes& of_label = entry.second;
    const bool has_places = of_label.usual.size() == 1 || !of_label.usual.contains(std::nullopt);
    return has_places && of_label.usual.size() <= kMostListed && of_label.filled.empty() &&
           of_label.triangles.empty();
  };
  return drawing.has_lines() && drawing.views.in_order().size() == 1 &&
         std::all_of(values.begin(), values.end(), are_listed) &&
         rise_with_place(usual_marks_by_x(drawing));
}

}  // namespace

void name_num_hashes(Drawing& drawing) {
  const std::string_view title = axis("num_hashes").title;
  const std::string each = about_each_num_hashes(drawing);
  const NumHashesByLabel by_view = num_hashes_by(drawing.views, drawing);
  const NumHashesByLabel by_series = num_hashes_by(drawing.series, drawing);
  if (by_series.empty()) return;
  const LabelNumHashes& first = by_series.begin()->second;
  const bool is_clear_by_series = have_one_each(by_series) && !are_equal(by_series);
  if (!are_equal(by_view) && (have_one_each(by_view) || !is_clear_by_series)) {
    drawing.views.append(texts_of(by_view), title);
    if (!have_one_each(by_view)) drawing.notes += each;
  } else if (!are_equal(by_series)) {
    drawing.series.append(texts_of(by_series), title);
    if (!have_one_each(by_series)) {
      drawing.notes +=
          are_listed_in_order(by_series, drawing)
              ? " The legend lists the k of the marks of each series from left to right."
              : each;
    }
  } else if (first.usual.size() > 1) {
    drawing.notes +=
        each.empty()
            ? fmt::format(" {}; tooltips and summary.csv have the k of each mark.", text_of(first))
            : each;
  } else if (!first.filled.empty() || !first.triangles.empty()) {
    drawing.notes += fmt::format(" All marks have {}.", text_of(first));
  }
}

void mark_other_num_hashes(Drawing& drawing) {
  constexpr std::size_t kMostNamed = 24;  // more texts would hide the chart
  drawing.other_num_hashes = at_other_num_hashes(drawing.rows(), drawing.input.wording);
  if (drawing.other_num_hashes.size() <= kMostNamed) {
    drawing.named_num_hashes = drawing.other_num_hashes;
  }
  const auto count = static_cast<std::size_t>(
      std::count_if(drawing.other_num_hashes.begin(), drawing.other_num_hashes.end(),
                    [&](const SummaryRow* row) { return is_filled(drawing, row); }));
  if (count == 0) return;
  drawing.notes += fmt::format(
      " {} filled: {} another k than the other marks of {}{}.",
      count == 1 ? "1 mark is" : grouped(count) + " marks are", count == 1 ? "it has" : "they have",
      count == 1 ? "its filter" : "their filters",
      drawing.named_num_hashes.empty() ? "" : ", which is beside them if there is room");
}

}  // namespace bloometry::report
