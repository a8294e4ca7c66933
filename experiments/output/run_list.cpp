#include "experiments/output/run_list.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/error.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/output/file_hashes.hpp"
#include "experiments/output/run_folder.hpp"
#include "experiments/plan/json_document.hpp"

namespace bloometry {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::uint64_t count_in(const Json& manifest, const char* name) {
  const auto found = manifest.find(name);
  return found != manifest.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

ListedRun listed(const fs::path& folder) {
  std::error_code error;
  const bool has_parts = fs::exists(folder / "parts", error);
  try {
    const fs::path path = folder / "manifest.json";
    require_regular_file(path);
    const Json manifest = parse_json(read_file(path)).value;
    require_valid_hashes(manifest);
    return {.folder = folder,
            .has_parts = has_parts,
            .is_complete = has_trials_hash(manifest),
            .num_finished_units = count_in(manifest, "num_finished_units"),
            .num_rows = count_in(manifest, "num_rows")};
  } catch (const ConfigError&) {
  } catch (const IoError&) {
  }
  return {.folder = folder, .has_parts = has_parts};
}

/// Returns the folders directly below a folder.
std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_directory(error)) folders.push_back(entry.path());
  }
  return folders;
}

}  // namespace

std::vector<ListedRun> runs_below(const fs::path& folder) {
  std::vector<ListedRun> runs;
  for (const fs::path& inner : folders_in(folder)) {
    if (holds_run(inner)) {
      runs.push_back(listed(inner));
      continue;
    }
    for (const fs::path& innermost : folders_in(inner)) {
      if (holds_run(innermost)) runs.push_back(listed(innermost));
    }
  }
  std::ranges::sort(runs, {}, &ListedRun::folder);
  return runs;
}

}  // namespace bloometry
