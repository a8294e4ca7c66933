#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/core.h>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/cli/command_line/command.hpp"
#include "experiments/text/closest.hpp"
#include "experiments/text/printable.hpp"

/// Functions that process the command line before and after CLI11. Only main.cpp includes this
/// file.
namespace bloometry {

/// Returns the names of the command's subcommands.
inline std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name().empty()) continue;  // an option group
    names.push_back(command->get_name());
  }
  return names;
}

/// Returns the command that the first words of the command line name. The search stops at the first
/// word that is not a command.
inline CLI::App* command_of(const Command& program, int argc, char** argv) {
  CLI::App* app = program.app();
  for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
    const std::vector<CLI::App*> named = app->get_subcommands(
        [&](const CLI::App* command) { return command->get_name() == argv[i]; });
    if (named.empty()) break;
    app = named.front();
  }
  return app;
}

/// Returns a word of the command line, without a value that may be a secret.
inline std::string word_unless_secret(const std::string& word) {
  const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
  const std::size_t start = equals == std::string::npos ? 0 : equals + 1;
  return word.substr(0, start) + name_unless_secret(std::string_view(word).substr(start));
}

/// Returns the words in reverse order, without secrets.
inline std::string reversed(const std::string& text) {
  std::istringstream words(text);
  std::string result;
  for (std::string word; words >> word;) {
    word = word_unless_secret(word);
    result = result.empty() ? word : word.append(" ").append(result);
  }
  return result;
}

/// Returns the description of an option without its notes.
inline std::string first_words_of(const CLI::Option& option) {
  const std::string& text = option.get_description();
  return text.substr(0, std::min(text.find("; "), text.find(" (")));
}

/// Returns ": " and the description of an option, or "" if the option does not exist.
inline std::string description_after(const CLI::App& app, const std::string& name) {
  const CLI::Option* option = app.get_option_no_throw(name.substr(0, name.find(' ')));
  return option == nullptr ? "" : ": " + first_words_of(*option);
}

/// Returns CLI11's message, reworded as a requirement like the other error messages.
/// @param app the command that the command line names
inline std::string plain_message(const CLI::ParseError& error, const CLI::App* app) {
  static const std::vector<std::pair<std::regex, const char*>> kForms = {
      {std::regex(R"((\S+): At Most 1 required but received (\d+))"),
       "$1 must be given once, got $2 values"},
      {std::regex(R"((\S+): At least (\d+) required but received (\d+))"),
       "$1 must be given at least $2 times, got $3"},
      {std::regex(R"((\S+) requires (\S+))"), "$1 must be left out without $2"},
      {std::regex(R"((\S+) excludes (\S+))"), "$1 must be left out with $2"}};
  const std::string text = error.what();
  if (text == "A subcommand is required") {
    return "a command must be given, one of " + joined(command_names(*app));
  }
  std::smatch missing;
  static const std::regex kMissing(R"((\S+) is required)");
  if (std::regex_match(text, missing, kMissing)) {
    return fmt::format("{} must be given{}", missing.str(1), description_after(*app, missing[1]));
  }
  static const std::regex kMissingValue(R"((\S+): 1 required (\S+) missing)");
  if (std::regex_match(text, missing, kMissingValue)) {
    return fmt::format("{} must have a value{}", missing.str(1),
                       description_after(*app, missing[1]));
  }
  for (const auto& [form, plain] : kForms) {
    if (std::regex_match(text, form)) return std::regex_replace(text, form, plain);
  }
  // CLI11 lists unknown words from last to first.
  std::smatch unknown;
  const std::regex form(R"(The following arguments? (?:was|were) not expected: ([^]*))");
  if (!std::regex_match(text, unknown, form)) return text;
  return "unknown options or arguments: " + reversed(unknown[1]);
}

/// Appends the long options of a command and of its groups, which CLI11 stores as commands without
/// a name.
inline void append_long_options(const CLI::App& app, std::vector<std::string>& names) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const CLI::App* group : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (group->get_name().empty()) append_long_options(*group, names);
  }
}

/// Returns a suggestion for the first unknown option that is similar to a known option.
inline std::string suggested_options(const Command& program, int argc, char** argv) {
  std::vector<std::string> names;
  append_long_options(*command_of(program, argc, argv), names);
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::string name = word.substr(0, word.find('='));
    if (!name.starts_with("--") || std::find(names.begin(), names.end(), name) != names.end())
      continue;
    if (const std::string close = suggestion(name, names); !close.empty()) return close;
  }
  return "";
}

/// Returns the command line with `help sweep run` replaced by `sweep run --help`. Other command
/// lines are unchanged.
inline std::vector<char*> without_help_command(int argc, char** argv) {
  std::vector<char*> words(argv, argv + argc);
  if (argc < 2 || std::string_view(argv[1]) != "help") return words;
  static std::string option = "--help";
  words.erase(words.begin() + 1);
  words.push_back(option.data());
  return words;
}

/// Checks the names of the command and its subcommand, and the options before these names. CLI11
/// would only report that a subcommand is required.
/// @throws ConfigError with a list of the commands if a name is unknown.
inline void require_known_command(const Command& program, int argc, char** argv) {
  CLI::App* app = program.app();
  for (int i = 1; i < argc; ++i) {
    const std::vector<std::string> names = command_names(*app);
    if (names.empty()) return;  // the other words are arguments
    if (argv[i][0] == '-') {
      if (app->get_option_no_throw(argv[i]) != nullptr) return;
      throw ConfigError(fmt::format("unknown options or arguments: {} (see --help{})", argv[i],
                                    suggested_options(program, argc, argv)));
    }
    CLI::App* named = nullptr;
    for (CLI::App* command : app->get_subcommands([](CLI::App*) { return true; })) {
      if (command->get_name() == argv[i]) named = command;
    }
    if (named == nullptr) {
      throw ConfigError(fmt::format("command must be one of {}, got '{}'{}", joined(names), argv[i],
                                    suggestion(argv[i], names)));
    }
    app = named;
  }
}

}  // namespace bloometry
