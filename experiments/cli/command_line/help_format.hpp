#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/core.h>
#include <string>
#include <string_view>

#include "experiments/cli/terminal/text_width.hpp"

/// The layout of --help. Only main.cpp includes this file, because CLI11 needs seconds to compile.
namespace bloometry {

/// Wraps one paragraph for --help.
inline std::string help_text(std::string_view text, std::size_t column, std::size_t indent) {
  constexpr std::size_t kColumns = 80;
  return wrapped(text, column, indent, kColumns);
}

/// Prints help for a terminal of 80 columns. In contrast to the layout of CLI11, this layout wraps
/// descriptions and marks required options in words. The layout omits relations between options,
/// because the descriptions state the relations.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { label("Positionals", "Arguments"); }

  std::string make_description(const CLI::App* app) const override {
    return help_text(app->get_description(), 0, 0) + "\n";
  }

  /// Prints option groups, then commands.
  std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode /*mode*/) const override {
    std::string groups;
    std::string commands;
    for (const CLI::App* part : app->get_subcommands({})) {
      if (part->get_name().empty()) {
        const auto is_own = [&](const CLI::Option* option) {
          return option != part->get_help_ptr() && !option->get_group().empty();
        };
        groups += make_group(part->get_group(), false, part->get_options(is_own));
      } else {
        commands += row("  " + part->get_name(), part->get_description(), kCommandColumn);
      }
    }
    return groups + (commands.empty() ? "" : "\nSubcommands:\n" + commands);
  }

  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    std::string left = "  " + make_option_name(option, is_positional);
    if (is_positional) {
      left += is_repeated(*option) ? "..." : "";
    } else if (option->get_type_size() != 0) {
      left += " " + option->get_type_name();
    }
    const bool is_marked = option->get_required() && !is_positional;
    return row(left, option->get_description() + (is_marked ? " (required)" : ""), kOptionColumn);
  }

  std::string make_option_usage(const CLI::Option* option) const override {
    std::string name = make_option_name(option, true);
    const std::string first = option->get_expected_min() > 1 ? name + " " : "";
    if (is_repeated(*option)) name += "...";
    return option->get_required() ? first + name : fmt::format("[{}]", name);
  }

  /// Wraps paragraphs, but not the indented lines of examples.
  std::string make_footer(const CLI::App* app) const override {
    std::string lines;
    const std::string footer = app->get_footer();
    std::string_view text = footer;
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      lines += (line.starts_with(' ') ? std::string(line) : help_text(line, 0, 0)) + "\n";
      text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    return lines;
  }

 private:
  static constexpr std::size_t kOptionColumn = 24;
  static constexpr std::size_t kCommandColumn = 14;

  static bool is_repeated(const CLI::Option& option) { return option.get_expected_max() > 1; }

  static std::string row(std::string left, const std::string& text, std::size_t column) {
    if (left.size() + 2 > column) {
      left.append("\n").append(column, ' ');
    } else {
      left.resize(column, ' ');
    }
    return fmt::format("{}{}\n", left, help_text(text, column, column));
  }
};

}  // namespace bloometry
