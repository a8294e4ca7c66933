#include "experiments/output/run_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/core.h>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "core/file/temporary_names.hpp"
#include "core/file/write_file.hpp"
#include "experiments/output/csv.hpp"
#include "experiments/output/file_hashes.hpp"
#include "experiments/output/lost_rows.hpp"
#include "experiments/output/new_paths.hpp"
#include "experiments/output/run_manifest.hpp"
#include "experiments/plan/json_document.hpp"
#include "experiments/process/machine.hpp"
#include "experiments/text/shell_text.hpp"
#include "experiments/unit/unit_id.hpp"

namespace bloometry {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kConfigFile = "config.json";
constexpr const char* kLockFile = "parts/lock";

/// Returns whether a folder without config.json can be used for a new run. A usable folder may
/// contain a manifest without parts, if a process was killed before it wrote its config.
bool is_free(const fs::path& folder) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error) refuse_path(folder, error);
  const bool has_parts =
      fs::exists(folder / "parts", error) && !list_parts(folder / "parts").empty();
  return std::all_of(begin(entries), end(entries), [&](const fs::directory_entry& entry) {
    const fs::path name = entry.path().filename();
    return is_temporary_name(name.string()) || name == "parts" ||
           (name == kManifestFile && !has_parts);
  });
}

/// Removes the temporary files of killed processes in the folder and in parts/.
void remove_temporaries(const fs::path& folder) {
  for (const fs::path& path : {folder, folder / "parts"}) {
    remove_abandoned_files(FileDescriptor(path, O_RDONLY | O_DIRECTORY).get());
  }
}

/// Checks all files with a fixed name in a run folder, so that a run or a report fails before it
/// does any work. Parts and charts are checked when they are read or written.
void require_regular_files(const fs::path& folder) {
  for (const char* name : {kConfigFile, kManifestFile, kLockFile, "trials.csv", "histograms.csv",
                           "timings.csv", "summary.csv", "report.html"}) {
    require_regular_file(folder / name);
  }
}

/// Throws ConfigError unless the folder contains a run, can be used for a new run, or does not
/// exist.
void require_free_or_run(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_directory(folder, error)) {
    refuse_path(folder, make_error_code(std::errc::not_a_directory));
  }
  if (!holds_run(folder) && fs::is_directory(folder, error) && !is_free(folder)) {
    refuse_run(folder, "is not empty and does not contain a run");
  }
  require_regular_files(folder);
}

/// Locks the folder. lock_folder() rejects a lock file that is a symbolic link, because opening a
/// dangling link would create a file outside the folder.
FileDescriptor lock_folder(const fs::path& folder) {
  const fs::path path = folder / kLockFile;
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0666);
  if (fd < 0 && errno == ELOOP) {
    throw ConfigError(path.string() + " must be a regular file, got a symbolic link");
  }
  if (fd < 0) refuse_path(folder, std::error_code(errno, std::generic_category()));
  FileDescriptor lock = FileDescriptor::adopt(path, fd);
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) return lock;
  if (errno == EWOULDBLOCK) refuse_run(folder, "is in use by another process");
  throw IoError(fmt::format("cannot lock {}: {}", path.string(), std::strerror(errno)));
}

void require_run(const fs::path& folder) {
  std::error_code error;
  if (!holds_run(folder)) {
    refuse_run(
        folder,
        "does not contain a run (config.json is missing); give a folder that `bloometry sweep "
        "run` wrote");
  }
  if (!fs::exists(folder / kManifestFile, error))
    refuse_run(folder, "manifest.json is missing; run the config again in another folder");
  if (!fs::exists(folder / "parts", error)) {
    const std::string config = shell_word((folder / kConfigFile).string());
    refuse_run(
        folder,
        fmt::format("parts/ is missing, so that this copy of a run contains only its tables; "
                    "`bloometry sweep run {} --out DIR` measures the rows again",
                    config));
  }
  require_regular_files(folder);
}

/// Requires that both configs have the same name and seed. A config with another name or seed is
/// another experiment.
void require_same_experiment(const fs::path& folder, const Json& found, const Json& wanted) {
  for (const char* name : {"name", "seed"}) {
    if (found.at(name) == wanted.at(name)) continue;
    refuse_run(folder, fmt::format("contains another config, whose /{} is {}, not {}; give another "
                                   "--out, or remove the folder",
                                   name, shown_json(found.at(name)), shown_json(wanted.at(name))));
  }
}

void write_json(const fs::path& path, const Json& json) {
  replace_file(path, json.dump(2) + "\n");
}

std::vector<UnitTiming> sorted_timings(const FinishedUnits& finished) {
  std::vector<UnitTiming> timings;
  for (const auto& [id, result] : finished) timings.push_back(result.timing);
  return timings;
}

Config config_of(const fs::path& folder, const Json& json) {
  try {
    return config_from_json(json);
  } catch (const ConfigFileError& error) {
    throw ConfigError(
        fmt::format("{}: {}", (folder / kConfigFile).string(), error.problems().front().line()));
  }
}

/// Puts the found units in the places of the planned units. If both have run, the planned unit
/// stays. If several found units have the same place, the first of them stays.
void take_found(PartContents& contents, std::vector<Unit>& units) {
  for (UnitsOfRows::Found& found : contents.found) {
    Unit& place = units[static_cast<std::size_t>(found.planned - units.data())];
    if (contents.finished.contains(place.id)) {
      contents.finished.erase(found.unit.id);
    } else {
      place = std::move(found.unit);
    }
  }
  std::sort(units.begin(), units.end(), [](const Unit& a, const Unit& b) { return a.id < b.id; });
}

}  // namespace

bool holds_run(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / kConfigFile, error);
}

RunData scan_run(const fs::path& folder, const std::set<std::string>& distrusted) {
  require_run(folder);
  RunData run;
  run.folder = folder;
  run.config = config_of(folder, read_run_json(folder / kConfigFile));
  run.manifest = read_manifest(folder);
  run.units = expand(run.config);
  run.num_units = run.units.size();
  UnitsOfRows others(run.config, run.units);
  PartContents contents =
      scan_parts(folder / "parts", run.units,
                 {.distrusted = distrusted, .retired = retired_units_of(run.manifest)}, &others);
  take_found(contents, run.units);
  run.rows = sorted_rows(contents.finished);
  run.timings = sorted_timings(contents.finished);
  run.num_finished_units = contents.finished.size();
  run.part_hashes = std::move(contents.hashes);
  run.damaged = std::move(contents.damaged);
  return run;
}

RunData read_run(const fs::path& folder) {
  RunData run = scan_run(folder);
  require_undamaged(run.damaged);
  return run;
}

void require_usable(const fs::path& folder, const Config& config, OtherRows other_rows) {
  require_free_or_run(folder);
  if (!holds_run(folder)) return;
  const Json found = to_json(config_of(folder, read_run_json(folder / kConfigFile)));
  const Json wanted = to_json(config);
  require_same_experiment(folder, found, wanted);
  const RunData run = read_run(folder);
  require_unchanged_parts(run);
  if (found != wanted && other_rows == OtherRows::kRefuse) require_no_lost_rows(run, config);
}

RunFolder::RunFolder(fs::path folder, const Config& config, OtherRows other_rows)
    : folder_(std::move(folder)) {
  require_free_or_run(folder_);
  NewPaths made(folder_);
  made.make_folder(parts());
  lock_ = lock_folder(folder_);
  if (holds_run(folder_)) {
    manifest_ = read_manifest(folder_);
    take_up(config, other_rows);
  } else {
    made.add(folder_ / kLockFile);
    made.add(folder_ / kManifestFile);
    made.add(folder_ / kConfigFile);
    manifest_ = new_manifest(config);
    write_json(folder_ / kManifestFile, manifest_);
    write_json(folder_ / kConfigFile, to_json(config));
  }
  remove_temporaries(folder_);
  made.keep();
}

RunFolder::RunFolder(fs::path folder) : folder_(std::move(folder)) {
  require_run(folder_);
  lock_ = lock_folder(folder_);
  manifest_ = read_manifest(folder_);
  remove_temporaries(folder_);
}

/// Replaces the folder's config by `config`. take_up() writes the manifest before the config. If
/// the process ends between the two writes, the units of the old config are still recognised,
/// whether they are retired or not.
void RunFolder::take_up(const Config& config, OtherRows other_rows) {
  const Json found = to_json(config_of(folder_, read_run_json(folder_ / kConfigFile)));
  const Json wanted = to_json(config);
  if (found == wanted) return;
  require_same_experiment(folder_, found, wanted);
  const RunData before = read_run(folder_);
  require_unchanged_parts(before);
  if (other_rows == OtherRows::kRefuse) require_no_lost_rows(before, config);
  std::set<std::string> retired = retired_units();
  for (const UnitTiming& timing : before.timings) retired.insert(timing.unit);
  if (!retired.empty()) manifest_[kRetiredUnits] = retired;
  manifest_["config_hash"] = config_hash(config);
  erase_hash(manifest_, "trials.csv");
  write_json(folder_ / kManifestFile, manifest_);
  write_json(folder_ / kConfigFile, wanted);
}

std::set<std::string> RunFolder::retired_units() const {
  return retired_units_of(manifest_);
}

void RunFolder::require_unchanged(const PartContents& contents, std::uint64_t num_units) const {
  RunData run;
  run.folder = folder_;
  run.manifest = manifest_;
  run.num_units = num_units;
  run.num_finished_units = contents.finished.size();
  if (run.num_finished_units == num_units) run.rows = sorted_rows(contents.finished);
  run.part_hashes = contents.hashes;
  run.damaged = contents.damaged;
  require_unchanged_parts(run);
}

void RunFolder::begin_session() {
  Json& sessions = manifest_["sessions"];
  const bool is_first = manifest_.value("num_finished_units", 0U) == 0;
  if (sessions.is_null() && !is_first) {  // older versions did not list sessions
    sessions.push_back(session_of(manifest_, manifest_.value("started", Json())));
  }
  sessions.push_back(session_of(describe_build_and_machine(), utc_now()));
  write_json(folder_ / kManifestFile, manifest_);
}

void RunFolder::note_reused(const std::string& run, std::uint64_t num_units) {
  Json& reused = manifest_["reused"][run];
  reused = (reused.is_number_unsigned() ? reused.get<std::uint64_t>() : 0) + num_units;
}

void RunFolder::keep_hash(const WrittenPart& part) {
  set_part_hash(manifest_, part.name, part.hash);
}

std::uint64_t RunFolder::write_tables(const PartContents& contents) {
  const std::vector<TrialRow> rows = sorted_rows(contents.finished);
  const std::string trials = trials_csv(rows);
  replace_file(folder_ / "trials.csv", trials);
  replace_file(folder_ / "histograms.csv", histograms_csv(rows));
  replace_file(folder_ / "timings.csv", timings_csv(sorted_timings(contents.finished)));
  set_trials_hash(manifest_, contents.hashes, trials);
  write_counts(contents.finished.size(), rows.size());
  return rows.size();
}

void RunFolder::write_counts(std::uint64_t num_finished_units, std::uint64_t num_rows) {
  manifest_["num_finished_units"] = num_finished_units;
  manifest_["num_rows"] = num_rows;
  manifest_["last_written"] = utc_now();
  write_json(folder_ / kManifestFile, manifest_);
}

std::uint64_t count_rows(const FinishedUnits& finished) {
  std::uint64_t num_rows = 0;
  for (const auto& [id, result] : finished) num_rows += result.rows.size();
  return num_rows;
}

std::vector<TrialRow> sorted_rows(const FinishedUnits& finished) {
  std::vector<TrialRow> rows;
  for (const auto& [id, result] : finished) {
    rows.insert(rows.end(), result.rows.begin(), result.rows.end());
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace bloometry
