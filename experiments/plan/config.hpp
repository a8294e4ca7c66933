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

#include "core/contract/params.hpp"
#include "core/error.hpp"
#include "experiments/plan/chart_request.hpp"
#include "experiments/unit/unit.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {

/// The rule for the number of queries per point: a fixed number, or the number that gives a
/// requested relative error at the expected rate.
struct QueryPlan {
  std::uint64_t num_queries = 1'000'000;
  std::optional<double> relative_error{};
  double confidence = 0.95;
  std::uint64_t max_queries = 1'000'000'000;
};

/// The number of keys at which the best k minimises the expected rate. With kAtNumKeys, the best k
/// is computed for each num_keys. With kAtCapacity, the best k is computed for the capacity,
/// because k does not change while the filter fills.
enum class BestNumHashes { kAtNumKeys, kAtCapacity };

/// Returns the name of the value in a config: "optimal_at_num_keys" or "optimal_at_capacity".
[[nodiscard]] std::string_view name_of(BestNumHashes best);

/// One grid of a config. A grid contains the product of the axes for each variant.
struct Grid {
  std::vector<std::string> variants;
  std::vector<std::uint64_t> num_keys;
  std::optional<std::uint64_t> capacity;
  /// One of num_bits, bits_per_key, num_counters, num_blocks and target_false_positive_rate.
  std::string size_axis;
  std::vector<double> sizes;
  std::vector<unsigned> num_hashes;  ///< empty for the best k; unused if the variant chooses k
  BestNumHashes best_num_hashes = BestNumHashes::kAtNumKeys;  ///< applies if num_hashes is empty
  Params params;
  std::optional<Churn> churn;
  std::optional<StreamWindow> window;
  std::optional<ItemStream> stream;

  /// Returns the number of keys for which the grid sizes filters that do not grow: `capacity`, or
  /// the insert calls of the window. Absent if the grid has neither.
  [[nodiscard]] std::optional<std::uint64_t> fixed_capacity() const noexcept {
    return capacity || !window ? capacity : window->num_inserts();
  }
};

/// A checked sweep config with all defaults filled in.
struct Config {
  std::string name;
  std::string question;
  std::uint64_t seed = 1;
  std::uint64_t trials = 1;
  QueryPlan queries;
  std::vector<KeySource> keys = {KeySource{.name = "random"}};
  std::vector<std::string> hashes = {"xxh3"};
  std::vector<std::string> probes;  ///< empty for each variant's default (probes_of)
  std::vector<Grid> grids;
  std::vector<ChartRequest> charts;  ///< empty for the standard charts
};

/// Labels of key sources, by the name of the source in rows. The map omits sources without a label.
using KeyLabels = std::map<std::string, std::string>;

[[nodiscard]] KeyLabels key_labels(const Config& config);

/// Returns the probe schemes of a variant. The schemes of the config apply to every variant of
/// every grid. If the config does not name any schemes, the result is the variant's default. The
/// default is the first scheme of the variant. Rows contain the name of the scheme that was used.
[[nodiscard]] std::vector<std::string> probes_of(const Config& config, const VariantInfo& variant);

/// An error that contains all problems of a config. The message has one line per problem, for
/// example `/grids/0/num_hashes/2: must be in [1, 64], got 0`.
class ConfigFileError : public ConfigError {
 public:
  explicit ConfigFileError(const std::vector<std::string>& lines);
};

/// Reads and checks a complete config. @throws ConfigFileError listing every problem, or if the
/// file cannot be opened
/// @throws IoError if the file was opened but cannot be read
[[nodiscard]] Config load_config(const std::filesystem::path& path);

/// Returns the config with every default written out, as in config.json of a run folder. Every grid
/// of the result has one variant, because defaults of parameters differ between variants. The entry
/// of a key file contains the hash of the file's contents as content_hash.
[[nodiscard]] nlohmann::json to_json(const Config& config);

/// Reads the output of to_json(). config_from_json() does not open key files and trusts their
/// content_hash. A grid with num_hashes "optimal" is from an older version, in which the word meant
/// optimal_at_num_keys. @throws ConfigFileError listing every problem
[[nodiscard]] Config config_from_json(const nlohmann::json& resolved);

/// Returns the hash of the resolved config as 32 hex digits.
[[nodiscard]] std::string config_hash(const Config& config);

/// Returns the first 12 hex digits of a hash of the resolved config. The hash omits question,
/// report and the labels of key files, because these fields do not change the measurement.
[[nodiscard]] std::string run_id(const Config& config);

/// A function that is called every few thousand rows with the number of rows planned so far.
using PlanObserver = std::function<void(std::uint64_t num_rows)>;

/// Returns all units of a config, sorted by id.
/// @throws ConfigFileError if a variant rejects the values of a point, or if a key file has too few
/// lines
[[nodiscard]] std::vector<Unit> expand(const Config& config, const PlanObserver& observe = {});

}  // namespace bloometry
