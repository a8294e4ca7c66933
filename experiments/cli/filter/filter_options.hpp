#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cli/command_line/key_options.hpp"
#include "experiments/cli/command_line/point_options.hpp"
#include "experiments/cli/terminal/exit_code.hpp"

namespace bloometry {

/// An input filter file, as parsed from the command line.
struct FilterInput {
  std::filesystem::path path;
  std::string from = "bloometry";               ///< format of the file
  SizeRequest sizes{};                          ///< m and k of a bitmap, which its file lacks
  std::optional<std::filesystem::path> secret;  ///< file that contains the secret of the hash
  std::span<const std::string_view> formats;    ///< values of --from; empty without this option
  bool is_updated = false;  ///< whether the filter is written in place of the file
};

struct FilterBuildOptions {
  KeyOptions keys{};
  std::filesystem::path out;
  PointOptions point{.variant = "standard"};
  std::string hash = "xxh3";
  std::optional<std::uint64_t> seed;
  std::optional<std::filesystem::path> secret;
  std::string to = "bloometry";
  bool is_foldable = false;           ///< whether the size is rounded up to one with many divisors
  std::vector<std::string> own_only;  ///< options on the command line that require --to bloometry
};

/// Options of `filter add` and `filter erase`.
struct FilterUpdateOptions {
  FilterInput filter{};
  KeyOptions keys{};
  std::optional<std::uint64_t> wait_s;  ///< most seconds to wait for the lock; absent: no limit
};

/// Options of `filter grow` and `filter tick`.
struct FilterChangeOptions {
  FilterInput filter{};
  std::optional<std::uint64_t> wait_s;  ///< most seconds to wait for the lock; absent: no limit
  bool is_quiet = false;
};

struct FilterQueryOptions {
  FilterInput filter{};
  KeyOptions keys{};
  bool is_inverted = false;
  bool counts = false;
};

struct FilterShowOptions {
  FilterInput filter{};
  bool json = false;
};

/// Options of `filter merge` and `filter intersect`.
struct FilterCombineOptions {
  FilterInput filter{};  ///< input options; the path is not set
  std::vector<std::filesystem::path> paths;
  std::filesystem::path out;
};

struct FilterFoldOptions {
  FilterInput filter{};
  std::filesystem::path out;
  std::optional<std::uint64_t> divisor;
  std::optional<double> rate;
};

struct FilterConvertOptions {
  FilterInput filter{};
  std::filesystem::path out;
  std::string to;
};

/// The answers of a filter to the queries of a service.
struct QueryCounters {
  std::uint64_t negatives = 0;       ///< queries that the filter answered with "absent"
  std::uint64_t positives = 0;       ///< queries that it answered with "may be present"
  std::uint64_t true_positives = 0;  ///< those of the positives whose key was present

  [[nodiscard]] std::uint64_t num_false() const noexcept { return positives - true_positives; }

  /// Returns the number of queries of absent keys.
  [[nodiscard]] std::uint64_t num_absent() const noexcept { return negatives + num_false(); }
};

struct FilterCheckOptions {
  FilterInput filter{};
  QueryCounters counters{};
  std::optional<std::uint64_t> max_repeats;  ///< absent: the key of each query is new
  std::optional<double> false_alarm;         ///< absent: that of the state, or 1e-6
  std::optional<std::filesystem::path> state;
  std::optional<std::uint64_t> wait_s;  ///< most seconds to wait for the lock; absent: no limit
  bool is_reset = false;                ///< whether the state is started anew
  bool json = false;
  bool prometheus = false;
};

struct FilterDiffOptions {
  FilterInput filter{};  ///< input options; the path is not set
  std::filesystem::path a;
  std::filesystem::path b;
  bool json = false;
};

// The commands of `bloometry filter`. The header exit_code.hpp states the conventions of all
// commands.
int filter_build_command(const FilterBuildOptions& options);
int filter_add_command(const FilterUpdateOptions& options);
int filter_erase_command(const FilterUpdateOptions& options);
int filter_grow_command(const FilterChangeOptions& options);
int filter_tick_command(const FilterChangeOptions& options);
int filter_query_command(const FilterQueryOptions& options);
int filter_info_command(const FilterShowOptions& options);
int filter_merge_command(const FilterCombineOptions& options);
int filter_intersect_command(const FilterCombineOptions& options);
int filter_fold_command(const FilterFoldOptions& options);
int filter_convert_command(const FilterConvertOptions& options);
int filter_verify_command(const FilterShowOptions& options);
int filter_check_command(const FilterCheckOptions& options);
int filter_diff_command(const FilterDiffOptions& options);

}  // namespace bloometry
