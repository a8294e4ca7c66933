#pragma once

#include <cstdint>
#include <string>

#include "experiments/cli/commands.hpp"
#include "variants/registry/sizing.hpp"

namespace bloometry {

/// Runs `bloometry size --emit`: prints code for a program that uses the sized filter, and nothing
/// else, to standard output. Returns an ExitCode; if sizing fails, prints the reason to standard
/// error.
/// @throws ConfigError naming each option that is missing, superfluous or impossible.
int emit_command(const PointOptions& options);

/// One of our variants with its size, and the text of its comment.
struct EmittedFilter {
  SizeAnswer answer;
  std::string request;  ///< "n = 1,000,000 keys, p <= 0.01"
  std::string choice;   ///< reason for this variant; empty if the user named it
};

/// Returns a whole C++ program around the filter.
[[nodiscard]] std::string emitted_cpp(const EmittedFilter& filter);
/// Returns a CMakeLists.txt that builds that program.
[[nodiscard]] std::string emitted_cmake(const EmittedFilter& filter);
/// Returns a whole Java program. @throws ConfigError as GuavaFilter::sizes_for.
[[nodiscard]] std::string emitted_guava(std::uint64_t num_keys, double rate);
/// Returns properties of parquet-java, with Arrow's C++ in comments.
/// @throws ConfigError as ParquetSbbfFilter::num_blocks_for.
[[nodiscard]] std::string emitted_parquet(std::uint64_t num_keys, double rate);

}  // namespace bloometry
