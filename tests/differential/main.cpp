// Compares every filter with exact multisets under random operations. README.md describes the
// program.

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "core/isa/isa.hpp"
#include "tests/differential/configurations.hpp"
#include "tests/differential/sequence.hpp"

namespace bloometry::test {
namespace {

constexpr std::string_view kHelp = R"(usage: bloometry_differential [options]

Works on filters of every variant and probe scheme at random. Compares them with exact multisets of
keys, with single-key calls and with filters built anew. An operation is one insert, contains or
erase of one key (a batch of 64 keys is 64); the calls that check it are not counted. A sequence has
the operations on one filter; it follows from seed and number.

  --operations N   operations to make, at least (default 1e6)
  --seed S         seed of all sequences (default 20261120)
  --threads T      sequences at a time (default 1); the result does not depend on it
  --sequence N     run this sequence alone, as a failure prints
  --verbose        print each sequence before it begins, to find one that crashes
  --help           print this

BLOOMETRY_ISA chooses the instruction set; the checksum is the same for each of them.
The last line is `N operations, N sequences, N failures, S s`. Exit status: 0 no failure, 1 failures,
2 bad input.

A billion operations with every instruction set of this machine: tests/differential/billion.sh
)";

constexpr std::uint64_t kMostFailuresPrinted = 20;
constexpr double kPrintEverySeconds = 30;

struct Options {
  std::uint64_t num_operations = 1'000'000;
  std::uint64_t seed = 20261120;
  std::uint64_t num_threads = 1;
  std::optional<std::uint64_t> sequence{};
  bool is_verbose = false;
};

/// Reads a whole number in decimal or scientific notation (1e9).
std::uint64_t number_of(std::string_view option, std::string_view text) {
  double value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = error == std::errc{} && end == text.data() + text.size() && value >= 0 &&
                        value < 0x1p53 && value == std::floor(value);
  if (is_whole) return static_cast<std::uint64_t>(value);
  throw ConfigError(std::string(option) + " must be a whole number below 2^53, got '" +
                    std::string(text) + "'");
}

void set_option(Options& options, std::string_view name, std::uint64_t value) {
  if (name == "--operations") {
    options.num_operations = value;
  } else if (name == "--seed") {
    options.seed = value;
  } else if (name == "--threads" && value >= 1 && value <= 1024) {
    options.num_threads = value;
  } else if (name == "--sequence") {
    options.sequence = value;
  } else {
    throw ConfigError(std::string(name) + " " + std::to_string(value) +
                      " is not an option (see --help)");
  }
}

Options options_of(const std::vector<std::string_view>& arguments) {
  Options options;
  for (auto next = arguments.begin(); next != arguments.end(); ++next) {
    const std::string_view name = *next;
    if (name == "--verbose") {
      options.is_verbose = true;
    } else if (++next != arguments.end()) {
      set_option(options, name, number_of(name, *next));
    } else {
      throw ConfigError(std::string(name) + " is not an option, or has no value (see --help)");
    }
  }
  return options;
}

/// Runs sequences until their planned operations reach the requested number, and collects the
/// results.
class Run {
 public:
  explicit Run(const Options& options) : options_(options), all_(all_configurations()) {}

  void run_all() {
    std::vector<std::thread> threads;
    for (std::uint64_t i = 0; i < options_.num_threads; ++i) {
      threads.emplace_back([this] {
        while (const std::optional<std::uint64_t> sequence = next_sequence()) run_one(*sequence);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

  void run_one(std::uint64_t sequence) {
    const Configuration& configuration = all_[sequence % all_.size()];
    if (options_.is_verbose) announce(sequence, configuration);
    record(sequence, run_sequence(configuration, options_.seed, sequence));
  }

  /// Prints the last two lines of the output. Returns the exit status of the program.
  int report() const {
    std::printf("seed %llu, %s, checksum %016llx\n", static_cast<unsigned long long>(options_.seed),
                std::string(isa_name(active_isa())).c_str(),
                static_cast<unsigned long long>(checksum_));
    std::printf("%llu operations, %llu sequences, %llu failures, %.1f s\n",
                static_cast<unsigned long long>(num_operations_),
                static_cast<unsigned long long>(num_sequences_),
                static_cast<unsigned long long>(num_failures_), seconds());
    return num_failures_ == 0 ? 0 : 1;
  }

 private:
  std::optional<std::uint64_t> next_sequence() {
    const std::lock_guard lock(mutex_);
    if (num_planned_ >= options_.num_operations) return std::nullopt;
    num_planned_ += planned_operations(options_.seed, next_);
    return next_++;
  }

  void announce(std::uint64_t sequence, const Configuration& configuration) {
    const std::lock_guard lock(mutex_);
    std::cerr << "sequence " << sequence << ": " << configuration.name << std::endl;
  }

  void record(std::uint64_t sequence, const SequenceResult& result) {
    const std::lock_guard lock(mutex_);
    ++num_sequences_;
    num_operations_ += result.num_operations;
    checksum_ ^= result.checksum;
    if (!result.failure.empty() && ++num_failures_ <= kMostFailuresPrinted) {
      std::cout << "FAILED: " << result.failure
                << "\n  again: BLOOMETRY_ISA=" << isa_name(active_isa())
                << " bloometry_differential --seed " << options_.seed << " --sequence " << sequence
                << std::endl;
    }
    print_progress();
  }

  void print_progress() {
    if (seconds() < next_print_) return;
    next_print_ += kPrintEverySeconds;
    std::cerr << num_operations_ << " of " << options_.num_operations << " operations, "
              << num_failures_ << " failures, " << static_cast<int>(seconds()) << " s\n";
  }

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  }

  Options options_;
  std::vector<Configuration> all_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::uint64_t next_ = 0;
  std::uint64_t num_planned_ = 0;
  std::uint64_t num_sequences_ = 0;
  std::uint64_t num_operations_ = 0;
  std::uint64_t num_failures_ = 0;
  std::uint64_t checksum_ = 0;
  double next_print_ = kPrintEverySeconds;
};

int run(const std::vector<std::string_view>& arguments) {
  if (arguments.size() == 1 && arguments[0] == "--help") {
    std::cout << kHelp;
    return 0;
  }
  const Options options = options_of(arguments);
  require_valid_isa_choice();
  Run run(options);
  options.sequence ? run.run_one(*options.sequence) : run.run_all();
  return run.report();
}

}  // namespace
}  // namespace bloometry::test

int main(int argc, char** argv) {
  try {
    return bloometry::test::run({argv + 1, argv + argc});
  } catch (const bloometry::ConfigError& error) {
    std::cerr << "bloometry_differential: " << error.what() << "\n";
    return 2;
  }
}
