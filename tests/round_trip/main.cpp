// Saves random filters, reads them back and describes them. README.md describes the program.

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/core/file/new_folder.hpp"
#include "tests/round_trip/round_trip.hpp"

namespace bloometry::test {
namespace {

constexpr std::string_view kHelp = R"(usage: bloometry_round_trip [options]

Fills random filters of every variant and probe scheme. Saves each filter, reads it back by every
reader, and compares state, answers and bytes. A filter follows from seed and number.

  --filters N   number of filters (default 1000)
  --seed S      seed of all filters (default 20261128)
  --filter K    check only filter K, as a failure prints
  --help        print this

The files are in TMPDIR; a folder in memory such as /dev/shm saves time. The last line is
`N filters, N with more than 64 stages, N refused an insert, N failures, S s`. Exit status: 0 no
failure, 1 failures, 2 bad input.
)";

constexpr std::uint64_t kMostFailuresPrinted = 20;
constexpr std::uint64_t kManyStages = 64;

struct Options {
  std::uint64_t num_filters = 1000;
  std::uint64_t seed = 20261128;
  std::optional<std::uint64_t> filter{};
};

std::optional<std::uint64_t> number_in(const std::string& text) {
  char* end = nullptr;
  const std::uint64_t number = std::strtoull(text.c_str(), &end, 10);
  const bool is_number = !text.empty() && text[0] >= '0' && text[0] <= '9' && *end == '\0';
  return is_number ? std::optional(number) : std::nullopt;
}

/// Returns the options, or nullopt if an argument is not valid.
std::optional<Options> options_of(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    const auto value = i + 1 < arguments.size() ? number_in(arguments[i + 1]) : std::nullopt;
    if (!value) return std::nullopt;
    if (arguments[i] == "--filters") {
      options.num_filters = *value;
    } else if (arguments[i] == "--seed") {
      options.seed = *value;
    } else if (arguments[i] == "--filter") {
      options.filter = *value;
    } else {
      return std::nullopt;
    }
  }
  return options;
}

struct Tally {
  std::uint64_t num_filters = 0;
  std::uint64_t num_with_many_stages = 0;
  std::uint64_t num_refused = 0;
  std::uint64_t num_failures = 0;

  void add(const RoundTripResult& result) {
    ++num_filters;
    num_with_many_stages += result.num_stages > kManyStages ? 1 : 0;
    num_refused += result.was_refused ? 1 : 0;
    num_failures += result.failure.empty() ? 0 : 1;
  }
};

int run(const Options& options) {
  const auto started = std::chrono::steady_clock::now();
  const NewFolder folder;
  const std::vector<VariantScheme> schemes = variant_schemes();
  const std::vector<VariantScheme> growing =
      variant_schemes([](const VariantScheme& scheme) { return scheme.can("grow"); });
  const std::uint64_t first = options.filter.value_or(0);
  const std::uint64_t end = options.filter ? first + 1 : options.num_filters;
  Tally tally;
  for (std::uint64_t i = first; i < end; ++i) {
    // Every other filter grows.
    const VariantScheme& scheme =
        i % 2 == 0 ? schemes[i / 2 % schemes.size()] : growing[i / 2 % growing.size()];
    const RoundTripResult result = run_round_trip(scheme, options.seed, i, folder / "");
    tally.add(result);
    if (result.failure.empty() || tally.num_failures > kMostFailuresPrinted) continue;
    std::cout << "FAILED: " << result.failure << "\n  again: bloometry_round_trip --seed "
              << options.seed << " --filter " << i << std::endl;
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;
  std::cout << tally.num_filters << " filters, " << tally.num_with_many_stages << " with more than "
            << kManyStages << " stages, " << tally.num_refused << " refused an insert, "
            << tally.num_failures << " failures, " << static_cast<int>(elapsed.count()) << " s\n";
  return tally.num_failures == 0 ? 0 : 1;
}

int main_of(const std::vector<std::string>& arguments) {
  if (arguments == std::vector<std::string>{"--help"}) {
    std::cout << kHelp;
    return 0;
  }
  if (const std::optional<Options> options = options_of(arguments)) return run(*options);
  std::cerr << "bloometry_round_trip: every option needs a whole number (see --help)\n";
  return 2;
}

}  // namespace
}  // namespace bloometry::test

int main(int argc, char** argv) {
  return bloometry::test::main_of({argv + 1, argv + argc});
}
