#pragma once

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/report/chart_axis.hpp"

namespace bloometry::report {

/// Returns the axes along which rows differ. The variant precedes its parameters even in a run of
/// one variant, because `block_bits = 256` alone is ambiguous.
[[nodiscard]] std::vector<const Axis*> series_axes(std::span<const std::string_view> names,
                                                   const Rows& rows, const Wording& wording);

/// Returns “a”, “b” and “c”.
[[nodiscard]] std::string quoted(const std::vector<std::string>& names);

/// Adds axes until the labels distinguish all rows at the same place. For example, the labels of
/// two sizes are equal if the bits per key agree in four digits.
/// @param place_of function that returns the panel and the x of a row as text
void distinguish(std::vector<const Axis*>& axes, const Rows& rows, const Wording& wording,
                 const std::function<std::string(const SummaryRow&)>& place_of);

/// The labels of rows along some axes, sorted by the underlying values. Sizes are sorted by the
/// requested size. Variants are in the order of the registry, so that all charts of all runs have
/// the same order.
class Labels {
 public:
  Labels(std::vector<const Axis*> axes, const Rows& rows, const Wording& wording);

  /// Keeps at most `limit` labels. Each variant keeps about the same number of labels, evenly
  /// spaced among its labels, unless there are more variants than the limit. Returns the removed
  /// labels.
  std::vector<std::string> thin_out(std::size_t limit);

  /// Adds text to labels, as in "standard, k = 7", and its title to title().
  void append(const std::map<std::string, std::string>& text_of_label, std::string_view title);

  /// Returns the labels without the text of append(), unless nothing else would be left.
  [[nodiscard]] std::vector<std::string> short_names(std::vector<std::string> labels) const;

  [[nodiscard]] bool contains(const SummaryRow& row) const;
  [[nodiscard]] std::string of(const SummaryRow& row) const;

  /// Returns the titles of the axes as one text, such as "variant, size".
  [[nodiscard]] std::string title() const;

  [[nodiscard]] const std::vector<std::string>& in_order() const noexcept { return ordered_; }

  /// Returns a colour for each label. If a run has several variants, each variant has the same
  /// colour in all charts of the run. The series of one variant differ in lightness. In charts of
  /// one variant, each size has a colour, and its series differ in lightness. In a run of several
  /// variants, sizes have chart::ordered_colours(), so that a colour never means both a variant and
  /// a size. If labels contain neither variants nor sizes, the series have the colours of the
  /// palette in turn. Labels that would have the same colour differ in lightness.
  [[nodiscard]] std::vector<std::string> colours(std::span<const SummaryRow> run) const;

 private:
  std::vector<const Axis*> axes_;
  const Wording* wording_;
  std::vector<std::string> ordered_;
  std::set<std::string> kept_;
  std::map<std::string, std::string> appended_;  // whole label by label of the axes
  std::string title_;                            // of the axes
  std::string appended_title_;

  /// Returns the colour of each label before it is lightened. Labels of one colour differ in
  /// lightness.
  [[nodiscard]] std::vector<std::string> hues(std::span<const SummaryRow> run) const;
  [[nodiscard]] bool has(const Axis& axis) const;

  std::map<std::string, std::string> variants_;  // variant of each label
  std::map<std::string, std::string> sizes_;     // size of each label
};

}  // namespace bloometry::report
