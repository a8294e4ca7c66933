#include "experiments/cli/command_line/completion_scripts.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <functional>

#include "core/text.hpp"

namespace bloometry {
namespace {

/// A command with the words that name it, such as `bloometry sweep run`.
using Visit = std::function<void(const CompletedCommand& command, const std::string& path)>;

void visit_commands(const CompletedCommand& command, const std::string& path, const Visit& visit) {
  visit(command, path);
  for (const CompletedCommand& inner : command.commands) {
    visit_commands(inner, path + " " + inner.name, visit);
  }
}

/// Returns the text in single quotes. The letters that need it are escaped for the shell.
std::string quoted(const std::string& text, const std::string& apostrophe,
                   const std::string& backslash = "\\") {
  std::string result = "'";
  for (const char letter : text) {
    if (letter == '\'') {
      result += apostrophe;
    } else if (letter == '\\') {
      result += backslash;
    } else {
      result += letter;
    }
  }
  return result + "'";
}

std::string zsh_quoted(const std::string& text) {
  return quoted(text, R"('\'')");
}

std::string fish_quoted(const std::string& text) {
  return quoted(text, R"(\')", R"(\\)");
}

std::vector<std::string> names_of(const std::vector<CompletedOption>& options) {
  std::vector<std::string> names;
  for (const CompletedOption& option : options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  std::ranges::sort(names);
  return names;
}

/// Returns the cases of the options with a value, such as `    'bloometry bench --ops') ... ;;`.
/// The function text_of returns the commands for an option.
template <class TextOf>
std::string value_cases(const CompletedCommand& command, const std::string& path, TextOf text_of) {
  std::string cases;
  for (const CompletedOption& option : command.options) {
    if (!option.has_value) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names) patterns.push_back("'" + path + " " + name + "'");
    cases += fmt::format("    {}) {} ;;\n", joined(patterns, {}, "|"), text_of(option));
  }
  return cases;
}

/// Returns the paths of all subcommands as patterns of a case, such as `'bloometry sweep'|...`.
std::string paths_of_subcommands(const CompletedCommand& program, const std::string& separator) {
  std::vector<std::string> paths;
  visit_commands(program, program.name, [&](const CompletedCommand&, const std::string& path) {
    if (path != program.name) paths.push_back("'" + path + "'");
  });
  return joined(paths, {}, separator);
}

/// Returns one item of a zsh list: a name and its description.
std::string zsh_item(const std::string& name, const std::string& help) {
  return "      " + zsh_quoted(name + ":" + help) + "\n";
}

std::string zsh_case(const CompletedCommand& command, const std::string& path) {
  std::string commands;
  for (const CompletedCommand& inner : command.commands) {
    commands += zsh_item(inner.name, inner.help);
  }
  std::string options;
  for (const CompletedOption& option : command.options) {
    for (const std::string& name : option.names) options += zsh_item(name, option.help);
  }
  return fmt::format(
      "    '{}')\n      commands=(\n{}      )\n      options=(\n{}      )\n      values=({}) ;;\n",
      path, commands, options, joined(command.values, zsh_quoted, " "));
}

/// Returns the values of an option, which replace file names. A name in a list follows a comma.
std::string fish_values(const CompletedOption& option) {
  if (option.values.empty()) return "";
  const std::string values = joined(option.values, {}, " ");
  return " -f -a " +
         fish_quoted(option.is_list ? fmt::format("(__fish_append , {})", values) : values);
}

std::string fish_option(const CompletedOption& option) {
  std::string words;
  for (const std::string& name : option.names) {
    words += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  return words + (option.has_value ? " -r" : "") + fish_values(option) + " -d " +
         fish_quoted(option.help);
}

std::string fish_lines(const CompletedCommand& command, const std::string& path) {
  const std::string start =
      fmt::format("complete -c bloometry -n '__bloometry_is_at \"{}\"'", path);
  std::string lines;
  if (!command.commands.empty()) lines += start + " -f\n";
  for (const CompletedCommand& inner : command.commands) {
    lines += fmt::format("{} -a {} -d {}\n", start, inner.name, fish_quoted(inner.help));
  }
  if (!command.values.empty()) {
    lines += fmt::format("{} -f -a {}\n", start, fish_quoted(joined(command.values, {}, " ")));
  }
  for (const CompletedOption& option : command.options) {
    lines += fmt::format("{}{}\n", start, fish_option(option));
  }
  return lines;
}

}  // namespace

std::string bash_completion(const CompletedCommand& program) {
  std::string commands;
  std::string options;
  std::string values;
  visit_commands(program, program.name,
                 [&](const CompletedCommand& command, const std::string& path) {
                   options += fmt::format("    '{}') options='{}' values='{}' ;;\n", path,
                                          joined(names_of(command.options), {}, " "),
                                          joined(command.values, {}, " "));
                   values += value_cases(command, path, [](const CompletedOption& option) {
                     return fmt::format("values='{}' is_list={}", joined(option.values, {}, " "),
                                        option.is_list ? 1 : 0);
                   });
                   if (command.commands.empty()) return;
                   commands += fmt::format("      '{}') commands='{}' ;;\n", path,
                                           joined(command.commands, &CompletedCommand::name, " "));
                 });
  return fmt::format(
      "# Completion of {} for bash, printed by `bloometry completion bash`.\n"
      "_bloometry() {{\n"
      "  local path=bloometry commands options values is_list=0 word option start i\n"
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
      "  option=${{COMP_WORDS[COMP_CWORD - 1]}}\n"
      "  if [[ $word = '=' ]]; then\n"
      "    word=\n"
      "    [[ $option = -* ]] || values=\n"
      "  elif [[ $option = '=' ]]; then\n"
      "    option=${{COMP_WORDS[COMP_CWORD - 2]}}\n"
      "    [[ $option = -* ]] || values=\n"
      "  fi\n"
      "  case \"$path $option\" in\n{}  esac\n"
      "  if [[ -n $values && $word != -* ]]; then\n"
      "    start=\n"
      "    if ((is_list)) && [[ $word = *,* ]]; then start=${{word%,*}},; fi\n"
      "    COMPREPLY=($(compgen -P \"$start\" -W \"$values\" -- \"${{word#\"$start\"}}\"))\n"
      "    if [[ ${{COMPREPLY[*]}} = *[=:] ]]; then compopt -o nospace; fi\n"
      "  elif [[ $word = -* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
      "  elif [[ -n $commands ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$commands\" -- \"$word\"))\n"
      "  fi\n"
      "}}\n"
      "complete -o default -F _bloometry bloometry\n",
      program.name, commands, options, values);
}

std::string zsh_completion(const CompletedCommand& program) {
  std::string cases;
  std::string values;
  visit_commands(
      program, program.name, [&](const CompletedCommand& command, const std::string& path) {
        cases += zsh_case(command, path);
        values += value_cases(command, path, [](const CompletedOption& option) {
          return fmt::format("values=({}) is_list={}", joined(option.values, zsh_quoted, " "),
                             option.is_list ? 1 : 0);
        });
      });
  return fmt::format(
      "#compdef {0}\n"
      "# Completion of {0} for zsh, printed by `bloometry completion zsh`.\n"
      "_bloometry() {{\n"
      "  local at=bloometry\n"
      "  local -i i is_list=0\n"
      "  local -a commands options values\n"
      "  for ((i = 2; i < CURRENT; i++)); do\n"
      "    case \"$at ${{words[i]}}\" in\n"
      "      {1}) at+=\" ${{words[i]}}\" ;;\n"
      "      *) break ;;\n"
      "    esac\n"
      "  done\n"
      "  case $at in\n{2}  esac\n"
      "  local option=${{words[CURRENT - 1]}}\n"
      "  if [[ $PREFIX == --*=* ]]; then\n"
      "    option=${{PREFIX%%=*}}\n"
      "    compset -P '*='\n"
      "  fi\n"
      "  case \"$at $option\" in\n{3}  esac\n"
      "  if (($#values)) && [[ $PREFIX != -* ]]; then\n"
      "    ((is_list)) && compset -P '*,'\n"
      "    compadd -- ${{values:#*[=:]}}\n"
      "    compadd -S '' -- ${{(M)values:#*[=:]}}\n"
      "  elif [[ $PREFIX == -* ]]; then\n"
      "    _describe -o option options\n"
      "  elif (($#commands)); then\n"
      "    _describe command commands\n"
      "  else\n"
      "    _files\n"
      "  fi\n"
      "}}\n"
      "if [[ $funcstack[1] == _bloometry ]]; then\n"
      "  _bloometry \"$@\"\n"
      "else\n"
      "  compdef _bloometry bloometry\n"
      "fi\n",
      program.name, paths_of_subcommands(program, "|"), cases, values);
}

std::string fish_completion(const CompletedCommand& program) {
  std::string lines;
  visit_commands(program, program.name,
                 [&](const CompletedCommand& command, const std::string& path) {
                   lines += fish_lines(command, path);
                 });
  return fmt::format(
      "# Completion of {} for fish, printed by `bloometry completion fish`.\n"
      "function __bloometry_is_at\n"
      "    set -l at bloometry\n"
      "    set -l words (commandline -opc)\n"
      "    for word in $words[2..]\n"
      "        switch \"$at $word\"\n"
      "            case {}\n"
      "                set at \"$at $word\"\n"
      "            case '*'\n"
      "                break\n"
      "        end\n"
      "    end\n"
      "    test \"$at\" = \"$argv[1]\"\n"
      "end\n{}",
      program.name, paths_of_subcommands(program, " "), lines);
}

}  // namespace bloometry
