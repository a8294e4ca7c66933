#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

namespace bloometry::chart {

/// How exported pictures differ from the charts on the page.
struct ExportStyle {
  bool is_bare = false;                  ///< no title and no caption: the paper has its own
  std::optional<std::uint64_t> width{};  ///< of the whole picture, in px (96 per inch)
  std::optional<double> font_size{};     ///< of tick labels, in points; other texts in proportion

  friend bool operator==(const ExportStyle&, const ExportStyle&) = default;
};

/// Returns the spec without its title if the style is bare, and with its texts at the font size.
/// render.mjs sets the width, which depends on how wide the texts are.
[[nodiscard]] nlohmann::json styled(nlohmann::json spec, const ExportStyle& style);

}  // namespace bloometry::chart
