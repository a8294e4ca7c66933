#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "experiments/cli/command_line/command_line.hpp"
#include "experiments/cli/command_line/completion_scripts.hpp"

/// The commands and options for completion, read from the CLI11 options. Only main.cpp includes
/// this file, because CLI11 needs seconds to compile.
namespace bloometry {

/// Returns the first phrase of the description of an option.
inline std::string short_help(const CLI::Option& option) {
  const std::string words = first_words_of(option);
  return words.substr(0, words.find(": "));
}

/// Appends the options of a command and of its groups, which CLI11 stores as commands without a
/// name. The values of arguments, which have no names, are those of the command.
inline void append_options(const CLI::App& app, const Command& program, CompletedCommand& command) {
  std::vector<CompletedOption>& options = command.options;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // an option that help texts omit
    const std::vector<std::string> values = program.offered_values(option);
    if (option->get_positional()) {
      command.values.insert(command.values.end(), values.begin(), values.end());
    }
    CompletedOption completed{.help = short_help(*option),
                              .has_value = option->get_items_expected_max() > 0,
                              .is_list = option->get_type_name() == "LIST",
                              .values = values};
    for (const std::string& name : option->get_snames()) completed.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) completed.names.push_back("--" + name);
    const bool is_known = std::ranges::any_of(options, [&](const CompletedOption& other) {
      return other.names == completed.names;  // each group has --help
    });
    if (!completed.names.empty() && !is_known) options.push_back(std::move(completed));
  }
  for (const CLI::App* group : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (group->get_name().empty()) append_options(*group, program, command);
  }
}

inline CompletedCommand completed_command(const CLI::App& app, const Command& program) {
  CompletedCommand command{.name = app.get_name(), .help = app.get_description()};
  append_options(app, program, command);
  for (const CLI::App* inner : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!inner->get_name().empty()) command.commands.push_back(completed_command(*inner, program));
  }
  return command;
}

}  // namespace bloometry
