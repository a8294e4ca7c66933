#include "experiments/plan/config.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/core.h>
#include <fstream>
#include <utility>

#include "experiments/plan/axis_conflicts.hpp"
#include "experiments/plan/config_fields.hpp"
#include "experiments/plan/json_document.hpp"

namespace bloometry {
namespace {

std::vector<Problem> problems_of(const std::vector<std::string>& lines) {
  std::vector<Problem> problems;
  for (const std::string& line : lines) problems.push_back({.text = line});
  return problems;
}

[[noreturn]] void refuse_path(const std::filesystem::path& path, const std::string& why) {
  throw ConfigFileError({fmt::format("config {} cannot be read: {}", path.string(), why)});
}

std::string read_text_file(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) refuse_path(path, "it is a folder");
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse_path(path, std::strerror(errno));
  std::string text;
  std::array<char, 1U << 16U> block{};
  while (in.read(block.data(), block.size()) || in.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) throw IoError(fmt::format("config {} cannot be read", path.string()));
  return text;
}

/// Rejects wrongful erases together with Zipf keys. Keys that were wrongfully erased must not be
/// queried later, but popular Zipf keys would be queried.
void check_zipf_keys(const Config& config, ProblemList& problems) {
  const bool has_wrongful_erases =
      std::any_of(config.grids.begin(), config.grids.end(),
                  [](const Grid& grid) { return grid.churn && grid.churn->wrongful_erases > 0; });
  for (const KeySource& source : config.keys) {
    if (source.kind != KeySource::Kind::kZipf || !has_wrongful_erases) continue;
    problems.add([&] {
      return fmt::format("/keys: {} must be left out with wrongful_erases", source.name);
    });
  }
}

/// Rejects axes that a chart uses twice. Charts of older configs may have a facet that is x.
void check_chart_axes(const Config& config, ProblemList& problems) {
  for (std::size_t i = 0; i < config.charts.size(); ++i) {
    const ChartRequest& chart = config.charts[i];
    for (const AxisConflict& conflict : axis_conflicts(chart, x_axis_of(chart))) {
      problems.add([&] {
        return fmt::format("/report/{}/{}: {}", i, conflict.field,
                           conflict_text({&conflict, 1}, '"'));
      });
    }
  }
}

Config read_config(const nlohmann::json& value, const KeyFileAccess& files, ProblemList& problems) {
  const ConfigField root(value, "", problems);
  return object_of(config_fields(files)).read(root).value_or(Config{});
}

/// Renames "optimal" in an older resolved config. In older resolved configs, "optimal" always means
/// optimal_at_num_keys.
nlohmann::json with_named_optimum(nlohmann::json resolved) {
  if (!resolved.is_object() || !resolved.contains("grids") || !resolved["grids"].is_array()) {
    return resolved;
  }
  for (nlohmann::json& grid : resolved["grids"]) {
    const bool is_optimal =
        grid.is_object() && grid.contains("num_hashes") && grid["num_hashes"] == "optimal";
    if (is_optimal) grid["num_hashes"] = name_of(BestNumHashes::kAtNumKeys);
  }
  return resolved;
}

}  // namespace

KeyLabels key_labels(const Config& config) {
  KeyLabels labels;
  for (const KeySource& keys : config.keys) {
    if (!keys.label.empty()) labels.emplace(keys.name, keys.label);
  }
  return labels;
}

ConfigFileError::ConfigFileError(const std::vector<std::string>& lines)
    : ConfigError(problems_of(lines)) {}

Config load_config(const std::filesystem::path& path) {
  JsonDocument document;
  try {
    document = parse_json(read_text_file(path));
  } catch (const ConfigFileError& error) {
    std::vector<std::string> problems;
    for (const Problem& problem : error.problems()) {
      const std::string line = problem.line();
      const bool names_file = line.find(path.string()) != std::string::npos;
      problems.push_back(names_file ? line : fmt::format("{}: {}", path.string(), line));
    }
    throw ConfigFileError(problems);
  }
  ProblemList problems = std::move(document.problems);
  Config config = read_config(document.value, {.base = path.parent_path()}, problems);
  if (problems.empty()) {
    check_zipf_keys(config, problems);
    check_chart_axes(config, problems);
  }
  if (!problems.empty()) throw ConfigFileError(problems.lines());
  return config;
}

Config config_from_json(const nlohmann::json& resolved) {
  ProblemList problems;
  Config config =
      read_config(with_named_optimum(resolved), {.base = {}, .is_allowed = false}, problems);
  if (!problems.empty()) throw ConfigFileError(problems.lines());
  return config;
}

}  // namespace bloometry
