#pragma once

#include <array>
#include <cstdint>
#include <fmt/core.h>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "experiments/chart/export_style.hpp"
#include "experiments/cli/command_line/command.hpp"
#include "experiments/cli/command_line/command_parts.hpp"
#include "experiments/text/quantity.hpp"

/// Options of the pictures of charts. Only the headers of commands include this file.
namespace bloometry {

inline std::uint64_t parse_width(const std::string& text) {
  constexpr const char* kAllowed = "a whole number in [200, 4000]";
  const std::uint64_t width = parse_whole("--width", kAllowed, text);
  if (width >= 200 && width <= 4000) return width;
  throw ConfigError(fmt::format("--width must be {}, got '{}'", kAllowed, text));
}

inline double parse_font_size(const std::string& text) {
  const double size = parse_real("--font-size", "a number in [4, 40]", text);
  if (size >= 4 && size <= 40) return size;
  throw ConfigError(fmt::format("--font-size must be a number in [4, 40], got '{}'", text));
}

/// Adds the options that change pictures but not the charts on the page. Each of these options
/// requires the option `picture`, which requests the pictures.
inline void add_picture_options(const Command& group, CLI::Option* picture,
                                chart::ExportStyle& style) {
  static constexpr auto kFigures = std::to_array<std::string_view>({"full", "bare"});
  group.offer(
      group.value(
          "--figure", "NAME",
          "style of the picture: full, or bare, which omits title and caption (default full)",
          [&style](const std::string& text) {
            style.is_bare = parse_choice("--figure", kFigures, text) == "bare";
          }),
      kFigures);
  group.value("--width", "N",
              "width of the picture, including its legend, in pixels at 96 per inch, 200 to 4000; "
              "a png has twice this resolution (default: fitted to the chart)",
              [&style](const std::string& text) { style.width = parse_width(text); });
  group.value(
      "--font-size", "X",
      "size of tick labels in points, 4 to 40; other text scales in proportion (default 8.25)",
      [&style](const std::string& text) { style.font_size = parse_font_size(text); });
  for (CLI::Option* option : group->get_options()) option->needs(picture);
}

}  // namespace bloometry
