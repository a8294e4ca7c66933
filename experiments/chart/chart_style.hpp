#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bloometry::chart {

/// Colours that people with any colour vision tell apart (Okabe, Ito 2008), and one shape more:
/// the two lists have coprime lengths, so that pairs repeat late.
[[nodiscard]] const nlohmann::json& series_colours();
[[nodiscard]] const nlohmann::json& series_shapes();

/// That many colours from violet to yellow, for values in order. Lightness (CIE L*) rises from
/// 41 to 71, so that all stand out on a light and on a dark page. None is one of series_colours().
[[nodiscard]] std::vector<std::string> ordered_colours(std::size_t count);

/// The frame of every chart: schema, title, fonts, the parameter `picked` (id of the point that the
/// page shows in full), an empty data set.
[[nodiscard]] nlohmann::json base_spec(const std::string& title, const std::string& caption);

/// Labels for a logarithmic axis over [low, high]: even steps in a narrow range, else round numbers
/// in every power of ten; at least two.
[[nodiscard]] nlohmann::json round_values(double low, double high);

/// Axis and scale of a false-positive rate: logarithmic, in powers of ten, or in percent where all
/// is within one power of ten.
[[nodiscard]] nlohmann::json rate_channel(const std::string& field, const std::string& title,
                                          double low, double high);

/// Axis of numbers up to `high` on a linear scale.
[[nodiscard]] nlohmann::json number_axis(double high);

/// The colour with that share of white in it, in [0, 1].
[[nodiscard]] std::string lightened(const std::string& colour, double white);

/// Colour and shape by the field `series`, labels in that order, with one legend if there are two
/// or more.
/// @param colours one for each label; left out, those of series_colours() in turn
[[nodiscard]] nlohmann::json series_channels(const std::string& title,
                                             const std::vector<std::string>& labels,
                                             const std::vector<std::string>& colours = {});

/// An opacity that gives the marks of one layer a legend entry of their own: what they are, not of
/// which series. The scale of opacities of such charts is "independent".
/// @param symbol the entry's symbol, as properties of a Vega-Lite legend
[[nodiscard]] nlohmann::json named_marks(const std::string& label, nlohmann::json symbol);

/// Stroke of a point mark: thick while it is the picked one.
[[nodiscard]] nlohmann::json picked_width();

/// Puts a layer (or unit) into the spec: alone and large, or once per value of `facet`, smaller
/// the more there are.
void place(nlohmann::json& spec, nlohmann::json view, const std::vector<std::string>& facets);

/// Width and height of one view among that many.
struct ViewSize {
  int width = 0;
  int height = 0;
  int columns = 1;
};

[[nodiscard]] ViewSize view_size(std::size_t num_views);

}  // namespace bloometry::chart
