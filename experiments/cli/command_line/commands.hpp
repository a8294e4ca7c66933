#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/bench/bench_settings.hpp"
#include "experiments/chart/export_charts.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/subject/judge_subject.hpp"
#include "experiments/trial/run_unit.hpp"
#include "variants/registry/size_request.hpp"

namespace bloometry {

/// A requested filter, as parsed from the command line. Only the variant can interpret the texts of
/// the probe model and of the parameters, so requested_filter() adds them to the request later.
struct PointOptions {
  std::string variant{};  ///< variant or format; for size only with --emit, empty: the best variant
  SizeRequest request{};
  bool has_memory_option = false;     ///< whether --memory, and not -m, gave request.num_bits
  std::string probe_model{};          ///< W, D or P; empty: the model of the first scheme
  std::vector<std::string> params{};  ///< parameters as name=value
  std::string emit{};                 ///< for size: cpp, cmake, guava or parquet; empty: a table
  bool json = false;
};

/// Options of `sweep run` and `sweep validate`.
struct SweepRunOptions {
  std::filesystem::path config;
  std::optional<std::filesystem::path> out;
  unsigned num_threads = 0;  ///< 0: the number of usable CPUs
  Engine engine = Engine::kAuto;
  std::uint64_t memory_bytes = 0;  ///< memory of the whole run; 0: the default of memory_budget()
  bool is_fresh = false;           ///< true if units of earlier runs must not be copied
};

struct VerifyOptions {
  std::filesystem::path target;  ///< a run folder, or a config that is run and then verified
  double false_alarm = 1e-6;
  bool json = false;
};

/// Options for testing another program's filter by its answers (experiments/subject/README.md).
struct VerifySubjectOptions {
  std::string command;  ///< shell command, run by sh -c
  PointOptions claim;   ///< the claimed filter; --claim sets its variant
  SubjectSettings settings{};
  std::vector<std::string> keys{"random"};  ///< key sources, each with its own verdict
  std::string encoding = "hex";
  std::uint64_t seed = 1;
  double timeout_s = 60;
  bool allow_undecided = false;
  std::optional<std::filesystem::path> junit;  ///< path of a JUnit report
  bool quiet = false;                          ///< true to omit the progress output
  bool json = false;
};

/// Options of the curve that `theory` can draw in addition to its numbers.
struct TheoryChartOptions {
  std::filesystem::path file;        ///< a .svg, .png, .pdf or .json file; empty: no chart
  std::string against = "num_keys";  ///< x axis: num_keys, bits_per_key or num_hashes
  chart::ExportStyle style{};        ///< style of the picture, ignored for .json
};

struct ReportOptions {
  std::filesystem::path folder;
  std::vector<std::string> charts;  ///< names from kChartNames; empty: as in the config
  std::string facet;                ///< name of an axis, or kNoFacet; empty: as in the config
  std::vector<std::filesystem::path> bench;  ///< files of `bloometry bench --json`, for ns_vs_rate
  chart::ExportRequest exported{};
};

struct BenchOptions {
  bench::BenchSettings settings{};
  std::optional<std::filesystem::path> out;  ///< folder of bench.json and the charts
  bool is_fresh = false;                     ///< true to ignore earlier results in `out`
  bool quick = false;  ///< true if --quick was given, which shortens the defaults
  bool json = false;
};

// Each command is defined in its own file. Every command returns an ExitCode, and throws
// ConfigError and IoError under the same conditions as the library.
int variants_command(bool json);
int theory_command(const PointOptions& options);
int theory_chart_command(const PointOptions& options, const TheoryChartOptions& chart);
int size_command(const PointOptions& options);
int sweep_run_command(const SweepRunOptions& options);
int sweep_validate_command(const SweepRunOptions& options, bool json);
int sweep_repair_command(const std::filesystem::path& folder, bool json);
int sweep_schema_command();
int sweep_status_command(const std::filesystem::path& folder, bool json);
int report_command(const ReportOptions& options);
int verify_command(const VerifyOptions& options);
int verify_subject_command(const VerifySubjectOptions& options);
int bench_command(const BenchOptions& options);

}  // namespace bloometry
