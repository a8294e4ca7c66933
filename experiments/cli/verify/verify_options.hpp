#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/cli/command_line/point_options.hpp"
#include "experiments/subject/judge_subject.hpp"
#include "experiments/verdict/verdict.hpp"

namespace bloometry {

struct VerifyOptions {
  std::filesystem::path target;  ///< a run folder, or a config that is run and then verified
  double false_alarm = kDefaultFalseAlarm;
  bool json = false;
};

/// Options for testing another program's filter by its answers (experiments/subject/README.md).
struct VerifySubjectOptions {
  std::string command;            ///< shell command, run by sh -c
  std::string template_language;  ///< language of the subject to print; empty to test one
  PointOptions claim;             ///< the claimed filter; --claim sets its variant
  SubjectSettings settings{};
  std::vector<std::string> keys{"random"};  ///< key sources, each with its own verdict
  std::string encoding = "hex";
  std::uint64_t seed = 1;
  double timeout_s = 60;
  bool allow_undecided = false;
  std::optional<std::filesystem::path> junit;  ///< path of a JUnit report
  bool quiet = false;                          ///< true to omit the progress output
  bool json = false;
};

// exit_code.hpp states what every command returns and throws.
int verify_command(const VerifyOptions& options);
int verify_subject_command(const VerifySubjectOptions& options);

}  // namespace bloometry
