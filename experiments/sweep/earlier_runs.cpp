#include "experiments/sweep/earlier_runs.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "experiments/output/file_hashes.hpp"
#include "experiments/output/run_folder.hpp"

namespace bloometry {
namespace {

namespace fs = std::filesystem;

/// Reads and returns a run, or returns nullopt if the run cannot be read, was changed, or belongs
/// to another experiment.
std::optional<RunData> sound_run(const fs::path& folder, const Config& config) {
  try {
    RunData run = read_run(folder);
    const bool is_same = run.config.name == config.name && run.config.seed == config.seed;
    const std::vector<CheckedFile> files = check_files(run);
    const bool is_changed = std::any_of(
        files.begin(), files.end(), [](const CheckedFile& file) { return is_fault(file.state); });
    if (is_same && !is_changed) return run;
  } catch (const ConfigError&) {
  } catch (const IoError&) {
  }
  return std::nullopt;
}

/// Returns whether a precedes b in the order of points within a unit. The rows of a table are
/// ordered by all columns instead.
bool is_earlier_point(const TrialRow& a, const TrialRow& b) {
  return std::tie(a.num_inserted, a.num_hashes, a.num_queries) <
         std::tie(b.num_inserted, b.num_hashes, b.num_queries);
}

/// Returns the results of the run whose ids are in `wanted`, and removes their ids from `wanted`.
std::vector<UnitResult> take_wanted(RunData run, std::set<std::string>& wanted) {
  std::map<std::string, UnitResult> results;
  for (UnitTiming& timing : run.timings) {
    const std::string unit = timing.unit;
    if (wanted.erase(unit) > 0) results[unit].timing = std::move(timing);
  }
  for (TrialRow& row : run.rows) {
    const auto found = results.find(row.unit);
    if (found != results.end()) found->second.rows.push_back(std::move(row));
  }
  std::vector<UnitResult> list;
  for (auto& [unit, result] : results) {
    std::sort(result.rows.begin(), result.rows.end(), is_earlier_point);
    list.push_back(std::move(result));
  }
  return list;
}

fs::file_time_type time_of(const fs::path& run) {
  std::error_code error;
  return fs::last_write_time(run / "config.json", error);
}

}  // namespace

std::vector<fs::path> runs_beside(const fs::path& folder) {
  std::vector<fs::path> runs;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder.parent_path(), error)) {
    if (entry.path().filename() != folder.filename() && holds_run(entry.path())) {
      runs.push_back(entry.path());
    }
  }
  std::sort(runs.begin(), runs.end(),
            [](const fs::path& a, const fs::path& b) { return time_of(a) > time_of(b); });
  return runs;
}

std::vector<EarlierUnits> find_earlier_units(const std::vector<fs::path>& runs,
                                             const Config& config, std::set<std::string> wanted) {
  std::vector<EarlierUnits> found;
  for (const fs::path& folder : runs) {
    if (wanted.empty()) break;
    std::optional<RunData> run = sound_run(folder, config);
    if (!run) continue;
    std::vector<UnitResult> results = take_wanted(*std::move(run), wanted);
    if (!results.empty()) found.push_back({folder.filename().string(), std::move(results)});
  }
  return found;
}

std::uint64_t count_units(const std::vector<EarlierUnits>& earlier) noexcept {
  std::uint64_t count = 0;
  for (const EarlierUnits& units : earlier) count += units.results.size();
  return count;
}

}  // namespace bloometry
