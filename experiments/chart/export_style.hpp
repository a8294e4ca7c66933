#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

namespace bloometry::chart {

/// Differences between exported pictures and the charts on the page.
struct ExportStyle {
  bool is_bare = false;                  ///< no title and no caption: the paper has its own
  std::optional<std::uint64_t> width{};  ///< of the whole picture, in px (96 per inch)
  std::optional<double> font_size{};     ///< of tick labels, in points; other texts scale with it

  friend bool operator==(const ExportStyle&, const ExportStyle&) = default;
};

/// Returns the spec without its title if the style is bare, and with its texts at the font size.
/// The script render.mjs sets the width, which depends on the width of the texts.
[[nodiscard]] nlohmann::json styled(nlohmann::json spec, const ExportStyle& style);

}  // namespace bloometry::chart
