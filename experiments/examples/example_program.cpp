#include "experiments/examples/example_program.hpp"

#include <signal.h>  // pthread_sigmask

#include <iostream>
#include <thread>

#include "core/error.hpp"
#include "experiments/process/sudden_end.hpp"

namespace bloometry::examples {
namespace {

constexpr int kBadInput = 2;
constexpr int kNotDone = 3;
constexpr int kInterrupted = 130;

/// Installs the signal handlers. The program must call end_at_signals() before starting another
/// thread or a child process.
void end_at_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals] {
    int signal = 0;
    ::sigwait(&signals, &signal);
    end_suddenly("interrupted\n", kInterrupted);
  }).detach();
}

int fail(const std::exception& error, int exit_code) {
  std::cout << std::flush;
  std::cerr << "error: " << error.what() << "\n";
  return exit_code;
}

}  // namespace

int run_example(CLI::App& app, int argc, char** argv, const std::function<void(Checks&)>& example) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return fail(error, kBadInput);
  }
  try {
    end_at_signals();
    Checks checks;
    example(checks);
    return checks.summarise();
  } catch (const ConfigError& error) {
    return fail(error, kBadInput);
  } catch (const std::exception& error) {
    return fail(error, kNotDone);
  }
}

}  // namespace bloometry::examples
