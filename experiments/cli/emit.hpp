#pragma once

#include <cstdint>
#include <string>

#include "experiments/cli/commands.hpp"
#include "variants/registry/sizing.hpp"

namespace bloometry {

/// Runs `bloometry size --emit`. Prints code for a program that uses the sized filter, and nothing
/// else, to standard output. Returns an ExitCode. If sizing fails, it prints the reason to standard
/// error.
/// @throws ConfigError naming each option that is missing, superfluous or impossible.
int emit_command(const PointOptions& options);

/// A variant of this library with its size, and the text for the comment in the emitted code.
struct EmittedFilter {
  SizeAnswer answer;
  std::string request;  ///< "n = 1,000,000 keys, p <= 0.01"
  std::string choice;   ///< reason for this variant; empty if the user named it
};

/// Returns a whole C++ program around the filter.
[[nodiscard]] std::string emitted_cpp(const EmittedFilter& filter);
/// Returns a CMakeLists.txt that builds the program of emitted_cpp().
[[nodiscard]] std::string emitted_cmake(const EmittedFilter& filter);
/// Returns a whole Java program. @throws ConfigError as GuavaFilter::sizes_for().
[[nodiscard]] std::string emitted_guava(std::uint64_t num_keys, double rate);
/// Returns configuration properties for parquet-java. Comments in the text contain the code for
/// Arrow's C++ library.
/// @throws ConfigError as ParquetSbbfFilter::num_blocks_for().
[[nodiscard]] std::string emitted_parquet(std::uint64_t num_keys, double rate);

}  // namespace bloometry
