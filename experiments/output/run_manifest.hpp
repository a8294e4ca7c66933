#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "experiments/plan/config.hpp"

namespace bloometry {

inline constexpr const char* kManifestFile = "manifest.json";
inline constexpr const char* kRetiredUnits = "retired_units";

/// Throws ConfigError that names the run folder.
[[noreturn]] void refuse_run(const std::filesystem::path& folder, const std::string& why);

/// Reads a JSON file of a run folder. @throws ConfigError with the path if the file is not JSON
[[nodiscard]] nlohmann::json read_run_json(const std::filesystem::path& path);

/// Reads the manifest of a run folder. @throws ConfigError if the manifest is damaged or has
/// another rows_version
[[nodiscard]] nlohmann::json read_manifest(const std::filesystem::path& folder);

/// Returns the ids of the finished units of earlier configs.
[[nodiscard]] std::set<std::string> retired_units_of(const nlohmann::json& manifest);

/// Returns the manifest of a run that starts now.
[[nodiscard]] nlohmann::json new_manifest(const Config& config);

/// Returns the values of the manifest that may change from one session of a run to the next.
[[nodiscard]] nlohmann::json session_of(const nlohmann::json& manifest,
                                        const nlohmann::json& started);

}  // namespace bloometry
