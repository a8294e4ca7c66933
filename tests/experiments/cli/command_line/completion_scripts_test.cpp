#include "experiments/cli/command_line/completion_scripts.hpp"

#include <algorithm>
#include <string>

#include "tests/support/catch.hpp"

using namespace bloometry;

namespace {

CompletedCommand program() {
  const CompletedOption help{.names = {"-h", "--help"}, .help = "print help"};
  return {.name = "bloometry",
          .help = "measures filters",
          .options = {help},
          .commands = {{.name = "sweep",
                        .help = "the run's command",
                        .options = {help},
                        .commands = {{.name = "run",
                                      .help = "run a config",
                                      .options = {help,
                                                  {.names = {"--out"},
                                                   .help = R"(a folder, e.g. c:\runs)",
                                                   .has_value = true},
                                                  {.names = {"-o", "--ops"},
                                                   .help = "operations",
                                                   .has_value = true,
                                                   .is_list = true,
                                                   .values = {"insert", "mix"}},
                                                  {.names = {"--fix"},
                                                   .help = "axis",
                                                   .has_value = true,
                                                   .values = {"keys="}}}}}},
                       {.name = "theory", .help = "a rate", .values = {"blocked", "lanes"}}}};
}

bool has_line(const std::string& script, const std::string& line) {
  return ("\n" + script).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

TEST_CASE("completion: bash has the commands and the sorted options of each command", "[cli]") {
  const std::string script = bash_completion(program());
  CHECK(has_line(script, "      'bloometry') commands='sweep theory' ;;"));
  CHECK(has_line(script, "      'bloometry sweep') commands='run' ;;"));
  CHECK(has_line(
      script, "    'bloometry sweep run') options='--fix --help --ops --out -h -o' values='' ;;"));
  CHECK(has_line(script, "    'bloometry theory') options='' values='blocked lanes' ;;"));
  CHECK(has_line(script,
                 "    'bloometry sweep run -o'|'bloometry sweep run --ops') values='insert mix' "
                 "is_list=1 ;;"));
  CHECK(has_line(script, "    'bloometry sweep run --out') values='' is_list=0 ;;"));
}

TEST_CASE("completion: zsh has names with quoted descriptions", "[cli]") {
  const std::string script = zsh_completion(program());
  CHECK(script.starts_with("#compdef bloometry\n"));
  CHECK(has_line(
      script,
      "      'bloometry sweep'|'bloometry sweep run'|'bloometry theory') at+=\" ${words[i]}\" ;;"));
  CHECK(has_line(script, R"(      'sweep:the run'\''s command')"));
  CHECK(has_line(script, R"(      '--out:a folder, e.g. c:\runs')"));
  CHECK(has_line(script, "      values=('blocked' 'lanes') ;;"));
  CHECK(
      has_line(script,
               "    'bloometry sweep run -o'|'bloometry sweep run --ops') values=('insert' 'mix') "
               "is_list=1 ;;"));
}

TEST_CASE("completion: fish has one line per command and option", "[cli]") {
  const std::string script = fish_completion(program());
  const std::string at_run = "complete -c bloometry -n '__bloometry_is_at \"bloometry sweep run\"'";
  CHECK(has_line(script,
                 "            case 'bloometry sweep' 'bloometry sweep run' 'bloometry theory'"));
  CHECK(has_line(script, "complete -c bloometry -n '__bloometry_is_at \"bloometry\"' -f"));
  CHECK(has_line(script,
                 "complete -c bloometry -n '__bloometry_is_at \"bloometry\"' -a sweep -d "
                 R"('the run\'s command')"));
  CHECK(has_line(script, at_run + " -s h -l help -d 'print help'"));
  CHECK(has_line(script, at_run + R"( -l out -r -d 'a folder, e.g. c:\\runs')"));
  CHECK(has_line(script, at_run + " -s o -l ops -r -f -a '(__fish_append , insert mix)' -d "
                                  "'operations'"));
  CHECK(has_line(script, at_run + " -l fix -r -f -a 'keys=' -d 'axis'"));
  CHECK(has_line(script,
                 "complete -c bloometry -n '__bloometry_is_at \"bloometry theory\"' -f -a "
                 "'blocked lanes'"));
  CHECK_FALSE(has_line(script, at_run + " -f"));  // the argument of run is a file
}
