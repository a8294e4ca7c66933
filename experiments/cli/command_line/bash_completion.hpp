#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/core.h>
#include <string>
#include <vector>

/// Bash completion of the program's command line, generated from the CLI11 options. Only main.cpp
/// includes this file, because CLI11 needs seconds to compile.
namespace bloometry {

/// Appends the options of a command and of its groups, which CLI11 stores as commands without a
/// name.
inline void append_options(const CLI::App& app, std::vector<std::string>& words) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // an option that help texts omit
    for (const std::string& name : option->get_snames()) words.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  }
  for (const CLI::App* group : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (group->get_name().empty()) append_options(*group, words);
  }
}

/// Appends the lines of the script for a command and its subcommands. The parameter `path` contains
/// the words of the command, such as `bloometry sweep`.
inline void append_command(const CLI::App& app, const std::string& path, std::string& commands,
                           std::string& options) {
  std::vector<std::string> words;
  append_options(app, words);
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  options += fmt::format("    '{}') options='{}' ;;\n", path, CLI::detail::join(words, " "));
  std::string names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name().empty()) continue;
    names += (names.empty() ? "" : " ") + command->get_name();
    append_command(*command, fmt::format("{} {}", path, command->get_name()), commands, options);
  }
  if (!names.empty()) commands += fmt::format("      '{}') commands='{}' ;;\n", path, names);
}

/// Returns a bash script that completes commands, options after a `-`, and file names elsewhere.
inline std::string bash_completion(const CLI::App& program) {
  std::string commands;
  std::string options;
  append_command(program, program.get_name(), commands, options);
  return fmt::format(
      "# Completion of {} for bash, printed by `bloometry completion bash`.\n"
      "_bloometry() {{\n"
      "  local path=bloometry commands options word i\n"
      "  COMPREPLY=()\n"
      "  for ((i = 1; i <= COMP_CWORD; i++)); do\n"
      "    commands=\n"
      "    case $path in\n{}    esac\n"
      "    word=${{COMP_WORDS[i]}}\n"
      "    if ((i == COMP_CWORD)) || [[ \" $commands \" != *\" $word \"* ]]; then break; fi\n"
      "    path+=\" $word\"\n"
      "  done\n"
      "  case $path in\n{}  esac\n"
      "  word=${{COMP_WORDS[COMP_CWORD]}}\n"
      "  if [[ $word = -* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
      "  elif [[ -n $commands ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$commands\" -- \"$word\"))\n"
      "  fi\n"
      "}}\n"
      "complete -o default -F _bloometry bloometry\n",
      program.get_name(), commands, options);
}

}  // namespace bloometry
