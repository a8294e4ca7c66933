#pragma once

#include <cstdint>
#include <string>

#include "experiments/cli/command_line/point_options.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "variants/registry/sizing.hpp"

namespace bloometry {

/// Runs `bloometry size --emit` and returns an ExitCode. The command prints only code that creates
/// the sized filter to standard output. If sizing fails, the command prints the reason to standard
/// error.
/// @throws ConfigError naming each option that is missing, superfluous or impossible.
int emit_command(const PointOptions& options);

/// A variant of this library with its size, and the phrases for the comment in the emitted code.
struct EmittedFilter {
  SizeAnswer answer;
  std::string request;  ///< the request, such as "n = 1,000,000 keys, p <= 0.01"
  std::string choice;   ///< reason for the variant; empty if the user named the variant
};

/// Returns a complete C++ program that uses the filter.
[[nodiscard]] std::string emitted_cpp(const EmittedFilter& filter);
/// Returns a CMakeLists.txt that builds the program of emitted_cpp().
[[nodiscard]] std::string emitted_cmake(const EmittedFilter& filter);
/// Returns a complete Java program with Guava's filter. Throws ConfigError under the same
/// conditions as GuavaFilter::sizes_for().
[[nodiscard]] std::string emitted_guava(std::uint64_t num_keys, double rate);
/// Returns configuration properties for parquet-java. Comments in the properties contain the code
/// for Arrow's C++ library.
/// @throws ConfigError under the same conditions as ParquetSbbfFilter::num_blocks_for().
[[nodiscard]] std::string emitted_parquet(std::uint64_t num_keys, double rate);

}  // namespace bloometry
