#include <array>
#include <exception>
#include <fmt/core.h>
#include <iostream>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bloometry_build_info.hpp"
#include "core/error.hpp"
#include "core/isa/isa.hpp"
#include "experiments/cli/bench/bench_commands.hpp"
#include "experiments/cli/bench/bench_options.hpp"
#include "experiments/cli/command_line/command.hpp"
#include "experiments/cli/command_line/command_line.hpp"
#include "experiments/cli/command_line/command_parts.hpp"
#include "experiments/cli/command_line/completed_command.hpp"
#include "experiments/cli/command_line/help_format.hpp"
#include "experiments/cli/command_line/hidden_passwords.hpp"
#include "experiments/cli/command_line/point_options.hpp"
#include "experiments/cli/filter/filter_commands.hpp"
#include "experiments/cli/redis/redis_commands.hpp"
#include "experiments/cli/size/size_commands.hpp"
#include "experiments/cli/sweep/report_commands.hpp"
#include "experiments/cli/sweep/report_options.hpp"
#include "experiments/cli/sweep/sweep_commands.hpp"
#include "experiments/cli/sweep/sweep_options.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/terminal/message.hpp"
#include "experiments/cli/terminal/startup.hpp"
#include "experiments/cli/theory/theory_options.hpp"
#include "experiments/cli/verify/verify_commands.hpp"
#include "experiments/cli/verify/verify_options.hpp"
#include "experiments/text/closest.hpp"
#include "experiments/text/shell_text.hpp"

namespace bloometry {
namespace {

void add_variants(const Command& program, SmallOptions& small, Action& action) {
  const Command app =
      program.subcommand("variants", "list every variant: paper, operations, parameters");
  add_json(app, small.json);
  add_wide(app);
  app->footer(footer({"bloometry variants", "bloometry variants --json"}));
  app->callback([&] { action = [&] { return variants_command(small.json); }; });
}

void add_version(const Command& program, Action& action) {
  const Command app = program.subcommand("version", "print the version");
  app->footer(footer({"bloometry version"}));
  app->callback([&action] {
    action = [] {
      std::cout << BLOOMETRY_VERSION << '\n';
      return kDone;
    };
  });
}

std::string completion_script(const std::string& shell, const Command& command) {
  const CompletedCommand program = completed_command(*command.app(), command);
  if (shell == "bash") return bash_completion(program);
  return shell == "zsh" ? zsh_completion(program) : fish_completion(program);
}

void add_completion(const Command& program, std::string& shell, Action& action) {
  static constexpr auto kShells = std::to_array<std::string_view>({"bash", "zsh", "fish"});
  const Command app =
      program.subcommand("completion", "print the completion script for bash, zsh or fish");
  app.offer(app.value("SHELL", "NAME", "name of the shell: bash, zsh or fish",
                      [&shell](const std::string& text) {
                        shell = parse_choice("SHELL", kShells, text);
                      }),
            kShells)
      ->required();
  app->footer(footer({"source <(bloometry completion bash)", "source <(bloometry completion zsh)",
                      "bloometry completion fish | source"}));
  app->callback([&action, &program, &shell] {
    action = [&program, &shell] {
      std::cout << completion_script(shell, program);
      return kDone;
    };
  });
}

/// Parses the command line and reports all of its mistakes. Mistakes that CLI11 finds are reported
/// last.
/// @return an exit code if the program must not run a command, for instance after --help.
std::optional<int> parse(const Command& program, int argc, char** argv,
                         ProblemCollector& problems) {
  try {
    program->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program->exit(error);
    problems.collect([&] {
      throw ConfigError(fmt::format("{} (see --help{})",
                                    plain_message(error, command_of(program, argc, argv)),
                                    suggested_options(program, argc, argv)));
    });
  }
  problems.throw_if_any();
  return std::nullopt;
}

int parse_and_run(int argc, char** argv, const HiddenPasswords& passwords) {
  CLI::App app("Measures Bloom filters and compares them with exact theory.", "bloometry");
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_help_flag("-h,--help", "print this help and exit");
  app.set_version_flag("-V,-v,--version", std::string(BLOOMETRY_VERSION),
                       "print the version and exit");
  app.require_subcommand(1);
  app.footer(footer(
      {"bloometry theory standard -n 1e6 -m 9585059 -k 7", "bloometry sweep run --help"},
      "Numbers may be written as 1000000, 1,000,000, 1e6 or 1M, rates also as 0.1 % or 1/1000, and "
      "bytes as 64MB (10^6) or 64MiB (2^20), in any case; Mb is rejected, because it may mean "
      "bits. "
      "In lists, a comma separates two numbers and not thousands.\n"
      "Exit codes: 0 success, 1 negative answer, 2 bad input, 3 failed operation, 130 interrupt."));
  ProblemCollector problems;
  const Command program(&app, problems);

  PointOptions point;
  TheoryChartOptions theory_chart;
  SweepRunOptions run;
  SmallOptions small;
  ReportOptions report;
  VerifyOptions verify;
  VerifySubjectOptions subject;
  BenchOptions bench;
  FilterOptions filter;
  RedisOptions redis;
  std::string shell;
  Action action;
  run.command = shell_text({argv, static_cast<std::size_t>(argc)});
  add_variants(program, small, action);
  add_theory(program, point, theory_chart, action);
  add_size(program, point, action);
  add_sweep(program, run, small, action);
  add_report(program, report, action);
  add_verify(program, verify, subject, action);
  add_bench(program, bench, action);
  add_filter(program, filter, action);
  add_redis(program, redis, action, passwords);
  add_completion(program, shell, action);
  add_version(program, action);

  require_known_command(program, argc, argv);
  const std::optional<int> code = parse(program, argc, argv, problems);
  return code ? *code : action();
}

int fail(ExitCode code, const std::string& line) {
  print_message(line);
  return code;
}

/// Runs the program. Catches every exception and prints one line per problem.
int run_program(int argc, char** argv, const HiddenPasswords& passwords) {
  try {
    require_valid_isa_choice();
    const int code = parse_and_run(argc, argv, passwords);
    std::cout.flush();
    return std::cout ? code : fail(kCouldNotBeDone, "standard output could not be written");
  } catch (const ConfigError& error) {
    for (const Problem& problem : error.problems()) {
      const std::string line = problem.line();
      print_message(line + suggestion_for(line));
    }
    return kBadInput;
  } catch (const IoError& error) {
    return fail(kCouldNotBeDone, error.what());
  } catch (const FullError& error) {
    return fail(kCouldNotBeDone, error.what());
  } catch (const MemoryError& error) {
    return fail(kCouldNotBeDone, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kCouldNotBeDone, "not enough memory; use a smaller filter or sweep");
  } catch (const std::exception& error) {
    return fail(kCouldNotBeDone, fmt::format("internal error, please report it: {}", error.what()));
  }
}

}  // namespace
}  // namespace bloometry

int main(int argc, char** argv) {
  const bloometry::HiddenPasswords passwords({argv, static_cast<std::size_t>(argc)});
  if (!bloometry::prepare_process()) return bloometry::kCouldNotBeDone;
  std::vector<char*> words = bloometry::without_help_command(argc, argv);
  return bloometry::run_program(static_cast<int>(words.size()), words.data(), passwords);
}
