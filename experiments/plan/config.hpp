#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/filter/params.hpp"
#include "experiments/plan/chart_request.hpp"
#include "experiments/unit/unit.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {

/// How often each point is asked: a fixed number, or enough for a relative error at the expected
/// rate.
struct QueryPlan {
  std::uint64_t num_queries = 1'000'000;
  std::optional<double> relative_error{};
  double confidence = 0.95;
  std::uint64_t max_queries = 1'000'000'000;
};

/// The number of keys at which the best k is the one of least expected rate: each num_keys, or the
/// capacity, for one filter whose k does not change as it fills.
enum class BestNumHashes { kAtNumKeys, kAtCapacity };

/// "optimal_at_num_keys", "optimal_at_capacity": as a config names them.
[[nodiscard]] std::string_view name_of(BestNumHashes best);

/// One grid: the product of its axes, for each of its variants.
struct Grid {
  std::vector<std::string> variants;
  std::vector<std::uint64_t> num_keys;
  std::optional<std::uint64_t> capacity;
  std::string size_axis;  ///< num_bits, bits_per_key, num_counters, num_blocks or
                          ///< target_false_positive_rate
  std::vector<double> sizes;
  std::vector<unsigned>
      num_hashes;  ///< empty: the best; ignored by variants that choose themselves
  BestNumHashes best_num_hashes = BestNumHashes::kAtNumKeys;  ///< if num_hashes is empty
  Params params;
  std::optional<Churn> churn;
};

/// A sweep as configured, checked and with defaults filled in.
struct Config {
  std::string name;
  std::string question;
  std::uint64_t seed = 1;
  std::uint64_t trials = 1;
  QueryPlan queries;
  std::vector<KeySource> keys;
  std::vector<std::string> hashes;
  std::vector<std::string> probes;  ///< empty: each variant's default scheme (probes_of)
  std::vector<Grid> grids;
  std::vector<ChartRequest> charts;  ///< empty: the standard charts
};

/// What to call sources of keys, by their name in rows: those that have a label.
using KeyLabels = std::map<std::string, std::string>;

[[nodiscard]] KeyLabels key_labels(const Config& config);

/// The schemes that a variant is run with: those of the config, which hold for every variant of
/// every grid; left out, each variant's default: remix, bit_fields in blocks, parquet_salts in a
/// split_block, lane_fields in lanes. Rows carry the scheme's real name.
[[nodiscard]] std::vector<std::string> probes_of(const Config& config, const VariantInfo& variant);

/// All problems of a config at once, one line each: `/grids/0/num_hashes/2: must be in [1, 64], got
/// 0`.
class ConfigFileError : public ConfigError {
 public:
  explicit ConfigFileError(const std::vector<std::string>& lines);
};

/// Reads and checks a config completely.
/// @throws ConfigFileError with every problem in it, or if it cannot be opened; IoError if reading
/// fails half-way.
[[nodiscard]] Config load_config(const std::filesystem::path& path);

/// The config with every default written out: config.json of a run folder.
/// Every grid has one variant, because defaults of parameters differ between variants; a key file
/// has its content_hash.
[[nodiscard]] nlohmann::json to_json(const Config& config);

/// Reads to_json back. Key files are not opened: their content_hash is believed. A grid whose
/// num_hashes is "optimal" is of a time when that meant optimal_at_num_keys.
/// @throws ConfigFileError with every problem.
[[nodiscard]] Config config_from_json(const nlohmann::json& resolved);

/// 32 hex digits of the resolved config's hash.
[[nodiscard]] std::string config_hash(const Config& config);

/// First 12 hex digits of the hash of the resolved config without what is only shown: question and
/// report.
[[nodiscard]] std::string run_id(const Config& config);

/// Told the number of rows planned so far, every few thousand rows.
using PlanObserver = std::function<void(std::uint64_t num_rows)>;

/// All units of a config, sorted by id.
/// @throws ConfigFileError if a point asks the impossible of its variant, or a key file was read
/// that has too few lines.
[[nodiscard]] std::vector<Unit> expand(const Config& config, const PlanObserver& observe = {});

}  // namespace bloometry
