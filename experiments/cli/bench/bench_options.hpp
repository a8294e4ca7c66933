#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "experiments/bench/bench_settings.hpp"

namespace bloometry {

struct BenchOptions {
  bench::BenchSettings settings{};
  std::optional<std::filesystem::path> out;  ///< folder of bench.json and the charts
  bool is_fresh = false;                     ///< true to ignore earlier results in `out`
  /// The earlier benchmark, and optionally a later one, which is then compared instead of measured.
  std::vector<std::filesystem::path> compared{};
  bool quick = false;  ///< true if --quick was given, which shortens the defaults
  bool json = false;
};

// exit_code.hpp states what every command returns and throws.
int bench_command(const BenchOptions& options);

}  // namespace bloometry
