#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bloometry::chart {

/// Returns colours that people with any colour vision can distinguish (Okabe, Ito 2008). There is
/// one shape more than colours: the two lists have coprime lengths, so that pairs repeat late.
[[nodiscard]] const nlohmann::json& series_colours();
[[nodiscard]] const nlohmann::json& series_shapes();

/// Returns `count` colours from violet to yellow, for ordered values. Lightness (CIE L*) rises from
/// 41 to 71, so that all are visible on a light and on a dark page. None is one of
/// series_colours().
[[nodiscard]] std::vector<std::string> ordered_colours(std::size_t count);

/// Returns the frame of every chart: schema, title, fonts, the parameter `picked`, an empty data
/// set. `picked` is the id of the point that the page shows in full.
[[nodiscard]] nlohmann::json base_spec(const std::string& title, const std::string& caption);

/// Returns labels for a logarithmic axis over [low, high]: even steps in a narrow range, otherwise
/// round numbers in every power of ten. There are at least two.
[[nodiscard]] nlohmann::json round_values(double low, double high);

/// Returns the axis and scale of a false-positive rate. They are logarithmic, in powers of ten, or
/// in percent if all rates are within one power of ten.
[[nodiscard]] nlohmann::json rate_channel(const std::string& field, const std::string& title,
                                          double low, double high);

/// Returns an axis of numbers up to `high` on a linear scale.
[[nodiscard]] nlohmann::json number_axis(double high);

/// Returns the colour mixed with that share of white, in [0, 1].
[[nodiscard]] std::string lightened(const std::string& colour, double white);

/// Returns colour and shape by the field `series`, labels in that order, with one legend if there
/// are two or more.
/// @param colours one for each label; if omitted, series_colours() in turn
[[nodiscard]] nlohmann::json series_channels(const std::string& title,
                                             const std::vector<std::string>& labels,
                                             const std::vector<std::string>& colours = {});

/// Returns an opacity that gives the marks of one layer their own legend entry, for their kind and
/// not their series. The scale of opacities of such charts is "independent".
/// @param symbol the entry's symbol, as properties of a Vega-Lite legend
[[nodiscard]] nlohmann::json named_marks(const std::string& label, nlohmann::json symbol);

/// Returns the stroke of a point mark: thick if it is the picked one.
[[nodiscard]] nlohmann::json picked_width();

/// Adds a layer (or unit) to the spec: a single large one, or one per value of `facet`, smaller if
/// there are many.
void place(nlohmann::json& spec, nlohmann::json view, const std::vector<std::string>& facets);

/// Width and height of one view among several.
struct ViewSize {
  int width = 0;
  int height = 0;
  int columns = 1;
};

[[nodiscard]] ViewSize view_size(std::size_t num_views);

}  // namespace bloometry::chart
