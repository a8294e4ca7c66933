#pragma once

#include <fmt/core.h>
#include <iostream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/cli/command_line/command.hpp"
#include "experiments/cli/command_line/command_parts.hpp"
#include "experiments/cli/command_line/option_names.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/verify/verify_options.hpp"
#include "experiments/subject/claim.hpp"
#include "experiments/subject/subject_template.hpp"
#include "experiments/text/quantity.hpp"
#include "experiments/workload/integer_source.hpp"

/// The command `bloometry verify`. Only main.cpp includes this file, because CLI11 needs seconds to
/// compile.
namespace bloometry {

inline Exercises parse_exercises(const std::vector<std::string>& names) {
  Exercises exercises;
  for (const std::string& name : names) {
    if (name == "merge") {
      exercises.merge = true;
    } else if (name == "erase") {
      exercises.erase = true;
    } else if (name == "saturation") {
      exercises.saturation = true;
    } else {
      throw ConfigError(
          fmt::format("--exercise must be one of merge, erase, saturation, got '{}'", name));
    }
  }
  return exercises;
}

/// Adds the options that determine which tests of another program's filter are made.
inline void add_subject_tests(const Command& subject, VerifySubjectOptions& options) {
  // Numbers out of range are reported by verify_subject_command(), together with other mistakes.
  const auto whole = [&](const char* name, const char* allowed, auto& target, const char* help) {
    subject.value(name, "N", help, [=, &target](const std::string& text) {
      target = parse_whole(name, allowed, text);
    });
  };
  whole("--filters", "a whole number in [1, 16000]", options.settings.num_filters,
        "number of filters that the program builds, 1 to 16000 (default: as many as "
        "--deviation requires)");
  whole("--queries", "a whole number in [1, 1e12]", options.settings.num_queries,
        "queries of absent keys per filter and load, 1 to 1e12 (default: as many as --deviation "
        "requires)");
  subject.real_within("--deviation", options.settings.goal.deviation, 1e-4, 0.9,
                      "smallest relative deviation from the theoretical rate that the test must "
                      "detect, 1e-4 to 0.9 (default 0.1)");
  whole("--member-queries", "a whole number in [1, 1e12]", options.settings.max_member_queries,
        "maximum number of queries of inserted keys per filter and load, 1 to 1e12 "
        "(default 1e5)");
  subject.numbers(
      "--loads", 0,
      "numbers of keys at which the filter is measured, as multiples of -n from 1e-6 to 100 "
      "(default 0.25,1,2)",
      [&options](const std::vector<std::string>& texts) {
        options.settings.loads.clear();
        for (const std::string& text : texts) {
          options.settings.loads.push_back(parse_real("--loads", "numbers in [1e-06, 100]", text));
        }
      });
  CLI::Option* sequential = subject->add_flag_callback(
      "--sequential", [&options] { options.settings.sequential = true; },
      "stop as soon as the verdict is clear (default)");
  subject
      ->add_flag_callback(
          "--fixed", [&options] { options.settings.sequential = false; },
          "query all planned keys before the verdict (default: --sequential)")
      ->excludes(sequential);
  subject->add_flag("--allow-undecided", options.allow_undecided,
                    "exit with code 0 if the queries run out before the verdict is clear "
                    "(default: exit with code 1)");
  subject.list(
      "--exercise",
      "further operations to test: merge, erase, saturation (of counters); the program must "
      "support the request `merge` for merge and `erase` for the others (default: none)",
      [&options](const std::vector<std::string>& names) {
        options.settings.exercises = parse_exercises(names);
      });
}

/// Adds the options of the keys that are sent to another program.
inline void add_subject_keys(const Command& subject, VerifySubjectOptions& options) {
  subject.offer(
      subject.names(
          "--keys", options.keys,
          fmt::format("sources of integer keys, each tested separately: {} (default random)",
                      joined(integer_sources()))),
      integer_sources());
  subject
      .offer(subject->add_option("--encoding", options.encoding,
                                 "format of the keys that are sent to the program: hex, decimal or "
                                 "bytes (default hex)"),
             std::to_array<std::string_view>({"hex", "decimal", "bytes"}))
      ->type_name("NAME");
  subject.seed(options.seed, "seed of the keys (default 1)");
}

/// Adds the options of `verify` that apply only with --subject.
inline void add_subject_options(const Command& app, VerifySubjectOptions& options) {
  CLI::Option* command = app->add_option(
      "--subject", options.command,
      "command that starts another program; its filter is tested through the line protocol in "
      "experiments/subject/README.md (default: TARGET is tested)");
  command->type_name("COMMAND");
  app.offer(app.value(
                "--subject-template", "NAME",
                fmt::format("print a complete program for --subject in this language, {}, and exit",
                            joined_by_or(kSubjectLanguages)),
                [&options](const std::string& text) {
                  options.template_language =
                      parse_choice("--subject-template", kSubjectLanguages, text);
                }),
            kSubjectLanguages)
      ->excludes(command);
  const Command subject = app.group("With --subject");
  subject
      .offer(subject->add_option("--claim", options.claim.variant,
                                 fmt::format("variant whose theory the program's filter must "
                                             "match: {}; required with --subject",
                                             joined_by_or(claimable_variants()))),
             claimable_variants())
      ->type_name("NAME");
  add_size_options(
      subject, options.claim.request,
      {"; required with --subject",
       " (the smallest filter with at most this rate is selected); an alternative to -m"});
  add_theory_options(subject, options.claim);
  add_subject_tests(subject, options);
  add_subject_keys(subject, options);
  subject.real("--timeout", options.timeout_s, "a number of seconds in (0, 1e6]",
               "stop if the program does not read or write for this number of seconds, or does not "
               "complete an answer within ten times this number (default 60)");
  subject
      ->add_option("--junit", options.junit,
                   "file for a JUnit report (default: the report is not written)")
      ->type_name("FILE");
  subject->add_flag("--quiet", options.quiet, "do not print progress");
  for (CLI::Option* option : subject->get_options()) option->needs(command);
}

inline int print_subject_template(const VerifyOptions& run, const std::string& language) {
  if (!run.target.empty()) throw ConfigError("TARGET must be left out with --subject-template");
  std::cout << subject_template(language);
  return kDone;
}

inline int verify(VerifyOptions run, VerifySubjectOptions subject) {
  if (!subject.template_language.empty()) {
    return print_subject_template(run, subject.template_language);
  }
  if (subject.command.empty()) {
    if (run.target.empty()) {
      throw ConfigError("TARGET (a run folder or a config) or --subject COMMAND must be given");
    }
    return verify_command(run);
  }
  if (!run.target.empty()) throw ConfigError("TARGET must be left out with --subject");
  if (subject.claim.variant.empty())
    throw ConfigError("--claim must be given with --subject: the name of a variant");
  subject.json = run.json;
  subject.settings.goal.false_alarm = run.false_alarm;
  return verify_subject_command(subject);
}

inline void add_verify(const Command& program, VerifyOptions& options,
                       VerifySubjectOptions& subject, Action& action) {
  const Command app = program.subcommand(
      "verify", "test whether a run or another program's filter agrees with theory");
  app->add_option("TARGET", options.target,
                  "run folder, or a config, which is run first; required without --subject");
  app.real_within("--false-alarm", options.false_alarm, 1e-300, 0.5,
                  "probability that a correct run or filter is rejected, 1e-300 to 0.5 (default "
                  "1e-6)");
  add_json(app, options.json);
  add_wide(app);
  add_subject_options(app, subject);
  app->footer(
      footer({"bloometry verify experiments/configs/smoke/standard.json",
              "bloometry verify --subject './my_filter' --claim standard -n 1000 -m 9586 -k 7",
              "bloometry verify --subject-template python > my_filter.py"},
             "With --subject, exactly one of -m, -p and --num-blocks is required.\nThe exit code "
             "is 1 if the run or filter is rejected or could not be tested. An undecided verdict "
             "also gives exit code 1, unless --allow-undecided is given."));
  app->callback([&] {
    action = in_terms_of(point_options(),
                         in_terms_of(subject_options(), [&] { return verify(options, subject); }));
  });
}

}  // namespace bloometry
