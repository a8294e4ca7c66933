#pragma once

#include <string>
#include <vector>

namespace bloometry {

/// An option for completion.
struct CompletedOption {
  std::vector<std::string> names{};  ///< with their dashes, such as -h and --help
  std::string help{};
  bool has_value = false;
  bool is_list = false;               ///< whether a value is a comma-separated list
  std::vector<std::string> values{};  ///< names that may be given; a name may end in =
};

/// A command for completion, with its subcommands. The three scripts are made from the same tree.
struct CompletedCommand {
  std::string name{};
  std::string help{};
  std::vector<CompletedOption> options{};
  std::vector<std::string> values{};  ///< names that the arguments may have
  std::vector<CompletedCommand> commands{};
};

/// Returns a script that completes commands, options after a `-`, the values of options and
/// arguments that are names, and file names elsewhere. The zsh script also works as a function of
/// that shell's fpath.
[[nodiscard]] std::string bash_completion(const CompletedCommand& program);
[[nodiscard]] std::string zsh_completion(const CompletedCommand& program);
[[nodiscard]] std::string fish_completion(const CompletedCommand& program);

}  // namespace bloometry
