#include "experiments/output/run_manifest.hpp"

#include <fmt/core.h>

#include "core/error.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/output/file_hashes.hpp"
#include "experiments/plan/json_document.hpp"
#include "experiments/process/machine.hpp"
#include "experiments/unit/unit_id.hpp"

namespace bloometry {
namespace {

void require_rows_version(const std::filesystem::path& folder, const nlohmann::json& manifest) {
  const bool has_version = manifest.is_object() && manifest.contains("rows_version");
  if (has_version && manifest.at("rows_version") == kRowsVersion) return;
  const bool is_newer = has_version && manifest.at("rows_version").is_number_integer() &&
                        manifest.at("rows_version") > kRowsVersion;
  refuse_run(folder,
             fmt::format("rows_version of its manifest.json must be {}, got {}{}", kRowsVersion,
                         has_version ? shown_json(manifest.at("rows_version")) : "none",
                         is_newer ? "; a newer version of bloometry wrote the run" : ""));
}

}  // namespace

void refuse_run(const std::filesystem::path& folder, const std::string& why) {
  throw ConfigError(fmt::format("run folder {}: {}", folder.string(), why));
}

nlohmann::json read_run_json(const std::filesystem::path& path) {
  try {
    return parse_json(read_file(path)).value;
  } catch (const ConfigFileError& error) {
    throw ConfigError(fmt::format("{}: {}", path.string(), error.what()));
  }
}

nlohmann::json read_manifest(const std::filesystem::path& folder) {
  nlohmann::json manifest = read_run_json(folder / kManifestFile);
  require_rows_version(folder, manifest);
  try {
    require_valid_hashes(manifest);
  } catch (const ConfigError& error) {
    refuse_run(folder, error.what());
  }
  return manifest;
}

std::set<std::string> retired_units_of(const nlohmann::json& manifest) {
  const nlohmann::json ids = manifest.value(kRetiredUnits, nlohmann::json::array());
  std::set<std::string> retired;
  for (const nlohmann::json& id : ids) {
    if (id.is_string()) retired.insert(id.get<std::string>());
  }
  return retired;
}

nlohmann::json new_manifest(const Config& config) {
  nlohmann::json manifest = describe_build_and_machine();
  manifest.update({{"name", config.name},
                   {"seed", config.seed},
                   {"config_hash", config_hash(config)},
                   {"rows_version", kRowsVersion},
                   {"started", utc_now()},
                   {"num_finished_units", 0},
                   {"num_rows", 0}});
  return manifest;
}

nlohmann::json session_of(const nlohmann::json& manifest, const nlohmann::json& started) {
  nlohmann::json session = {{"started", started}};
  for (const char* name : {"version", "git_revision", "cpu", "isa"}) {
    if (manifest.contains(name)) session[name] = manifest.at(name);
  }
  return session;
}

}  // namespace bloometry
