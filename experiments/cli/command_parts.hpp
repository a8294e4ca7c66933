#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "experiments/cli/command.hpp"
#include "experiments/cli/commands.hpp"
#include "experiments/cli/option_names.hpp"

/// Options and texts that several commands share. Only main.cpp includes this file, because CLI11
/// needs seconds to compile.
namespace bloometry {

/// The function of a subcommand, which runs after the whole line has been parsed.
using Action = std::function<int()>;

/// Returns a command whose error messages name options instead of the library's fields.
inline Action in_terms_of(std::span<const OptionName> options, Action command) {
  return [options, command = std::move(command)] {
    try {
      return command();
    } catch (const ConfigError& error) {
      throw in_options(error, options);
    }
  };
}

inline std::string example(const std::string& line) {
  return "Example:\n  " + line + "\n";
}

inline constexpr const char* kHashesAllowed = "a whole number from 1 to 64";
inline constexpr const char* kRateAllowed = "a number in (0, 1) like 0.01";

inline void add_size_options(const Command& command, PointOptions& options) {
  command.count("-n", options.num_keys, "number of inserted keys, e.g. 1e6 or 1.5M");
  command.value(
      "-m", "NUMBER", "number of bits (counters of a counting filter), or memory, e.g. 64MiB",
      [&options](const std::string& text) {
        // A size in bytes sets the memory; a plain number sets the number of cells.
        (text.ends_with("B") ? options.memory_bits : options.num_cells) = parse_bits("-m", text);
      });
  command.value("-k", "NUMBER",
                "number of hashes (probes per key), 1 to 64 (default: the optimal number)",
                [&options](const std::string& text) {
                  // The variant determines the valid numbers.
                  const std::uint64_t num_hashes = parse_whole("-k", kHashesAllowed, text);
                  if (num_hashes > std::numeric_limits<unsigned>::max()) {
                    throw ConfigError("-k must be in [1, 64], got " + text);
                  }
                  options.num_hashes = static_cast<unsigned>(num_hashes);
                });
  command.real("-p", options.rate, kRateAllowed, "target false-positive rate, e.g. 0.01");
}

}  // namespace bloometry
