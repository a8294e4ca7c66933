#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "experiments/bench/bench_result.hpp"

namespace bloometry::bench {

/// Identifies one time of a benchmark.
struct RowName {
  std::uint64_t num_keys = 0;
  std::string keys;  ///< kind of keys
  std::string op;    ///< operation, or "floor"
  std::string call;  ///< kind of call, or the name of the floor
  unsigned num_threads = 1;
  std::string target;  ///< name of the filter

  friend auto operator<=>(const RowName&, const RowName&) = default;
};

/// The repetitions of one time, by run of the program. A benchmark that was resumed has several
/// runs.
using RunTimes = std::vector<Repetitions>;

/// A benchmark that was read from JSON, with the times and the conditions that a comparison needs.
struct StoredBench {
  std::string name;  ///< path of the file, or "this run"
  std::string started;
  std::string version;
  std::string git_revision;
  /// Text of each condition that affects the times: settings, compiler and machine.
  std::map<std::string, std::string> conditions{};
  std::map<RowName, RunTimes> rows{};
  std::map<RowName, RunTimes> floors{};  ///< times of the floors, which do not depend on filters
};

/// Reads the JSON object that to_json() returns for a benchmark.
/// @param name name of the benchmark in messages
/// @throws ConfigError with the name if the object is not such a benchmark, or has another
/// schema_version
[[nodiscard]] StoredBench stored_bench(const nlohmann::json& json, const std::string& name);

/// Reads a file that `bloometry bench` wrote with --json or --out. Throws the errors of
/// stored_bench(), ConfigError if the file does not exist or is not JSON, and IoError if it cannot
/// be read.
[[nodiscard]] StoredBench read_stored_bench(const std::filesystem::path& file);

}  // namespace bloometry::bench
