#pragma once

namespace bloometry {

/// Exit codes of the program (README, "Use the program"). Each command is a function that returns
/// an ExitCode, and throws ConfigError and IoError under the same conditions as the library. If an
/// option needs more memory than the machine has, the command returns kBadInput before doing any
/// work. If memory runs out later, the exit code is kCouldNotBeDone.
enum ExitCode : int {
  kDone = 0,
  kAnswerIsNo = 1,      ///< negative answer, for example of verify or filter diff
  kBadInput = 2,        ///< invalid options or files; one line per problem
  kCouldNotBeDone = 3,  ///< disk full, I/O error, out of memory, or a full filter
  kInterrupted = 130,
};

}  // namespace bloometry
