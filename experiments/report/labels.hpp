#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/report/axis.hpp"

namespace bloometry::report {

/// Returns the axes along which rows differ. The variant is included before its parameters even if
/// there is only one, because `block_bits = 256` alone is ambiguous.
[[nodiscard]] std::vector<const Axis*> series_axes(std::span<const std::string_view> names,
                                                   const Rows& rows, const Wording& wording);

/// The labels of rows along some axes, in the order of the underlying values. Sizes have their
/// requested order and variants that of the registry, which is the same in all charts of all runs.
class Labels {
 public:
  Labels(std::vector<const Axis*> axes, const Rows& rows, const Wording& wording);

  /// Keeps at most `limit` labels, evenly spaced, and removes the others. Returns how many it
  /// removed.
  std::size_t thin_out(std::size_t limit);

  [[nodiscard]] bool contains(const SummaryRow& row) const;
  [[nodiscard]] std::string of(const SummaryRow& row) const;

  /// Returns the titles of the axes, "variant, size".
  [[nodiscard]] std::string title() const;

  [[nodiscard]] const std::vector<std::string>& in_order() const noexcept { return ordered_; }

  /// Returns a colour for each label. Next to other variants, a variant has the same colour in all
  /// charts of a run, lighter from series to series if it has several. Within one variant each size
  /// has a colour, lighter from series to series. In a run of several variants these come from
  /// chart::ordered_colours(), so that a colour never means both a variant and a size. Without
  /// sizes the series use the colours in turn.
  [[nodiscard]] std::vector<std::string> colours(std::span<const SummaryRow> run) const;

 private:
  std::vector<const Axis*> axes_;
  const Wording* wording_;
  std::vector<std::string> ordered_;
  std::set<std::string> kept_;

  /// The source of a label's colour: labels of one group differ in lightness.
  struct Hue {
    std::string group;
    std::string colour;
  };

  [[nodiscard]] std::vector<Hue> hues(std::span<const SummaryRow> run) const;
  [[nodiscard]] bool has(const Axis& axis) const;

  std::map<std::string, std::string> variants_;  // of each label
  std::map<std::string, std::string> sizes_;     // of each label
};

}  // namespace bloometry::report
