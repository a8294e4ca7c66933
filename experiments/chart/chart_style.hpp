#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bloometry::chart {

/// Returns colours that people with any colour vision can distinguish (Okabe, Ito 2008). The list
/// of shapes is one longer. The two lengths are therefore coprime, and pairs of colour and shape
/// repeat late.
[[nodiscard]] const nlohmann::json& series_colours();
[[nodiscard]] const nlohmann::json& series_shapes();

/// Returns `count` colours from violet to yellow, for ordered values. Lightness (CIE L*) rises from
/// 41 to 71, so that all are visible on a light and on a dark page. None of these colours is in
/// series_colours().
[[nodiscard]] std::vector<std::string> ordered_colours(std::size_t count);

/// Returns the frame of every chart: schema, title, fonts, the parameter `picked` and an empty data
/// set. `picked` is the id of the point that the page shows in full.
[[nodiscard]] nlohmann::json base_spec(const std::string& title, const std::string& caption);

/// Returns at least two labels for a logarithmic axis over [low, high]. They are even steps in a
/// narrow range, otherwise round numbers in every power of ten.
[[nodiscard]] nlohmann::json round_values(double low, double high);

/// Returns the axis and scale of a false-positive rate. The scale is logarithmic. Its labels are
/// powers of ten, or percent if all rates are within one power of ten.
[[nodiscard]] nlohmann::json rate_channel(const std::string& field, const std::string& title,
                                          double low, double high);

/// Returns an axis of numbers up to `high` on a linear scale.
[[nodiscard]] nlohmann::json number_axis(double high);

/// Returns the colour mixed with the share `white` of white, in [0, 1].
[[nodiscard]] std::string lightened(const std::string& colour, double white);

/// Returns colour and shape by the field `series`, with the labels in the given order. They have
/// one legend if there are at least two labels.
/// @param colours one colour per label; if omitted, series_colours() in turn
[[nodiscard]] nlohmann::json series_channels(const std::string& title,
                                             const std::vector<std::string>& labels,
                                             const std::vector<std::string>& colours = {});

/// Returns an opacity channel that gives the marks of one layer their own legend entry, by kind of
/// mark and not by series. In such charts the opacity scale must be "independent".
/// @param symbol symbol of the entry, as properties of a Vega-Lite legend
[[nodiscard]] nlohmann::json named_marks(const std::string& label, nlohmann::json symbol);

/// Returns the stroke width of a point mark. The picked mark has a thick stroke.
[[nodiscard]] nlohmann::json picked_width();

/// Adds a layer (or unit) to the spec. Without facets it is a single large view, otherwise one view
/// per value of `facet`, with smaller views if there are many.
void place(nlohmann::json& spec, nlohmann::json view, const std::vector<std::string>& facets);

/// Width and height of one view among several.
struct ViewSize {
  int width = 0;
  int height = 0;
  int columns = 1;
};

[[nodiscard]] ViewSize view_size(std::size_t num_views);

}  // namespace bloometry::chart
