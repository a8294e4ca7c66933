#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bloometry::chart {

/// Returns colours that people with any colour vision can distinguish (Okabe, Ito 2008). The list
/// of shapes has one more item than the list of colours. The two lengths are therefore coprime, so
/// that every pair of colour and shape occurs before a pair repeats.
[[nodiscard]] const nlohmann::json& series_colours();
[[nodiscard]] const nlohmann::json& series_shapes();

/// Returns `count` colours from violet to yellow, for ordered values. The lightness (CIE L*) rises
/// from 41 to 71, so that all colours are visible on a light and on a dark page. The returned
/// colours differ from all series_colours().
[[nodiscard]] std::vector<std::string> ordered_colours(std::size_t count);

/// Returns the common parts of all charts: schema, title, fonts, the parameter `picked` and an
/// empty data set. The parameter `picked` is the id of the point that the page shows in full.
[[nodiscard]] nlohmann::json base_spec(const std::string& title, const std::string& caption);

/// Returns at least two labels for a logarithmic axis over [low, high]. The labels of a narrow
/// range have even steps. The labels of a wide range are round numbers in every power of ten.
[[nodiscard]] nlohmann::json round_values(double low, double high);

/// Returns the axis and the logarithmic scale of a false-positive rate. The labels are powers of
/// ten, or percentages if the highest rate is below ten times the lowest rate.
[[nodiscard]] nlohmann::json rate_channel(const std::string& field, const std::string& title,
                                          double low, double high);

/// Returns the position of a value on a linear or logarithmic scale with a domain, as a share of
/// the scale's length.
[[nodiscard]] double share_of(const nlohmann::json& scale, double value);

/// Returns an axis for numbers up to `high` on a linear scale.
[[nodiscard]] nlohmann::json number_axis(double high);

/// Returns an axis for numbers on a logarithmic scale with a domain. Every tick has a label. The
/// ticks of a wide domain are powers of ten, and those of other domains are round numbers.
[[nodiscard]] nlohmann::json log_number_axis(const nlohmann::json& scale);

/// Returns the colour mixed with white; `white` is the share of white, in [0, 1].
[[nodiscard]] std::string lightened(const std::string& colour, double white);

/// Returns the lines of each label, as an object of arrays. A line has at most `letters` letters,
/// unless it is one longer word. No part of a label is left out.
[[nodiscard]] nlohmann::json lines_of_labels(const std::vector<std::string>& labels,
                                             std::size_t letters);

/// Returns the Vega expression that shows a label as its lines from lines_of_labels().
[[nodiscard]] std::string label_expr(const nlohmann::json& lines);

/// Returns the channels of colour and shape by the field `series`, with the labels in the given
/// order. Both channels share a legend if there are at least two labels.
/// @param colours one colour per label; if omitted, the labels get series_colours() in turn
[[nodiscard]] nlohmann::json series_channels(const std::string& title,
                                             const std::vector<std::string>& labels,
                                             const std::vector<std::string>& colours = {});

/// Returns an opacity channel that adds a legend entry for the kind of marks in one layer. A chart
/// with this channel must set its opacity scale to "independent".
/// @param symbol symbol of the legend entry, as properties of a Vega-Lite legend
[[nodiscard]] nlohmann::json named_marks(const std::string& label, nlohmann::json symbol);

/// Returns the channel of a point mark's stroke width. The picked mark has a thick stroke.
[[nodiscard]] nlohmann::json picked_width();

/// Adds a layer (or unit) to the spec. With at most one facet, the layer is a single large view.
/// With several facets, the layer is repeated in one view per facet. The size of a view decreases
/// with the number of views.
void place(nlohmann::json& spec, nlohmann::json view, const std::vector<std::string>& facets);

/// Width and height of one view among several.
struct ViewSize {
  int width = 0;
  int height = 0;
  int columns = 1;
};

[[nodiscard]] ViewSize view_size(std::size_t num_views);

}  // namespace bloometry::chart
