#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

namespace bloometry::chart {

/// The differences between exported pictures and the charts on the page.
struct ExportStyle {
  bool is_bare = false;                  ///< true to omit title and caption
  std::optional<std::uint64_t> width{};  ///< width of the whole picture, in px (96 per inch)
  std::optional<double> font_size{};     ///< size of tick labels, in points; scales all texts

  friend bool operator==(const ExportStyle&, const ExportStyle&) = default;
};

/// Returns the spec with its texts scaled to the font size. A bare style also removes the title.
/// The script render.mjs sets the width, because the width depends on the width of the texts.
[[nodiscard]] nlohmann::json styled(nlohmann::json spec, const ExportStyle& style);

}  // namespace bloometry::chart
