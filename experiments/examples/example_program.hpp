#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "experiments/examples/checks.hpp"

namespace bloometry::examples {

/// Reads the options of `app` and runs the example.
///
/// Returns the exit code: 0 for success, 1 if a check failed, 2 for a bad option, 3 if a server or
/// a file failed. SIGINT, SIGTERM and SIGHUP end the program at once with exit code 130. After a
/// signal, the program kills its servers and removes its temporary folders.
[[nodiscard]] int run_example(CLI::App& app, int argc, char** argv,
                              const std::function<void(Checks&)>& example);

}  // namespace bloometry::examples
