#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/report/axis.hpp"

namespace bloometry::report {

/// The axes along which rows differ, and the variant before its parameters even if there is but
/// one: `block_bits = 256` alone does not say of what.
[[nodiscard]] std::vector<const Axis*> series_axes(std::span<const std::string_view> names,
                                                   const Rows& rows, const Wording& wording);

/// The labels that rows get along some axes, in the order of the values behind them: sizes as asked
/// for, variants as in the registry, which is the same in all charts of all runs.
class Labels {
 public:
  Labels(std::vector<const Axis*> axes, const Rows& rows, const Wording& wording);

  /// Keeps that many, evenly spread, and forgets the rest. Returns how many it forgot.
  std::size_t thin_out(std::size_t limit);

  [[nodiscard]] bool contains(const SummaryRow& row) const;
  [[nodiscard]] std::string of(const SummaryRow& row) const;

  /// Titles of the axes, "variant, size".
  [[nodiscard]] std::string title() const;

  [[nodiscard]] const std::vector<std::string>& in_order() const noexcept { return ordered_; }

  /// A colour for each label. Beside others, a variant has the same in all charts of a run, lighter
  /// from series to series where it has several. Within one variant each size has a colour, lighter
  /// from series to series: one of chart::ordered_colours() in a run of several variants, so that
  /// no colour means a variant here and a size there. Without sizes series have colours in turn.
  [[nodiscard]] std::vector<std::string> colours(std::span<const SummaryRow> run) const;

 private:
  std::vector<const Axis*> axes_;
  const Wording* wording_;
  std::vector<std::string> ordered_;
  std::set<std::string> kept_;

  /// Where a label's colour comes from: labels of one group differ in lightness.
  struct Hue {
    std::string group;
    std::string colour;
  };

  [[nodiscard]] std::vector<Hue> hues(std::span<const SummaryRow> run) const;
  [[nodiscard]] bool has(const Axis& axis) const;

  std::map<std::string, std::string> variants_;  // of a label
  std::map<std::string, std::string> sizes_;     // of a label
};

}  // namespace bloometry::report
