#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "experiments/files/file_descriptor.hpp"
#include "experiments/output/part_reader.hpp"
#include "experiments/output/part_writer.hpp"
#include "experiments/plan/config.hpp"
#include "experiments/unit/trial_row.hpp"
#include "experiments/unit/unit_result.hpp"

namespace bloometry {

/// The contents of a run folder.
struct RunData {
  std::filesystem::path folder;
  Config config;                    ///< config.json, with all defaults written out
  nlohmann::json manifest;          ///< manifest.json
  std::vector<TrialRow> rows;       ///< sorted, without duplicates and without torn lines
  std::vector<UnitTiming> timings;  ///< sorted by unit
  std::vector<Unit> units;          ///< all units of the config, sorted by id
  std::uint64_t num_units = 0;      ///< number of units of the config
  std::uint64_t num_finished_units = 0;
  PartHashes part_hashes{};            ///< hashes of the current files in parts/
  std::vector<DamagedLine> damaged{};  ///< damaged lines of parts; readers ignore these lines
};

/// Returns whether the folder contains a config.json and therefore a run.
[[nodiscard]] bool holds_run(const std::filesystem::path& folder);

/// Reads a run folder from config.json, manifest.json and parts/.
/// @throws ConfigError if the folder is not a run folder, has another rows_version, or contains
/// units of another config (see read_parts)
/// @throws ConfigError if a run file is not a regular file
/// @throws IoError if a file cannot be read
[[nodiscard]] RunData read_run(const std::filesystem::path& folder);

/// Reads a run folder like read_run(), but lists damaged lines of parts instead of throwing an
/// error.
/// @param distrusted as LeftOut::distrusted
[[nodiscard]] RunData scan_run(const std::filesystem::path& folder,
                               const std::set<std::string>& distrusted = {});

/// The treatment of rows in a run folder that another config of the run does not have.
enum class OtherRows {
  kRefuse,
  kReplace,  ///< the rows remain in parts/, but trials.csv is written without them
};

/// Checks that `config` can run into a folder, which may be new, without changing any file. Does
/// not check whether another process uses the folder, or whether a new folder can be created.
/// @throws ConfigError or IoError as the constructor RunFolder(folder, config, other_rows), and
/// ConfigError if a part of a run of the same config is damaged or was changed
void require_usable(const std::filesystem::path& folder, const Config& config,
                    OtherRows other_rows);

/// A run folder opened for writing. A lock (flock on parts/lock) excludes other processes as long
/// as this object exists.
class RunFolder {
 public:
  /// Opens the run folder of `config`, or creates the folder with config.json, manifest.json and
  /// parts/. If the folder has another config of the same name and seed, `config` replaces that
  /// config. Finished units of both configs are kept. Units that `config` does not contain stay in
  /// parts/ but are not read.
  /// @param other_rows kReplace if finished rows that `config` does not have may leave trials.csv
  /// (count_lost_rows)
  /// @throws ConfigError if the path cannot be used, is in use or damaged, or does not contain a
  /// run of this name, seed and rows_version, or if rows would leave trials.csv. If the constructor
  /// throws a ConfigError, it neither changes existing files nor leaves new files. @throws IoError
  /// if the disk fails
  RunFolder(std::filesystem::path folder, const Config& config,
            OtherRows other_rows = OtherRows::kRefuse);

  /// Opens a folder that contains a run. @throws ConfigError if the folder cannot be used, does not
  /// contain a run or is in use
  explicit RunFolder(std::filesystem::path folder);

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return folder_; }

  [[nodiscard]] std::filesystem::path parts() const { return folder_ / "parts"; }

  /// Returns the ids of the finished units of earlier configs of the folder. The current config may
  /// also contain some units of earlier configs.
  [[nodiscard]] std::set<std::string> retired_units() const;

  /// Checks that no part is changed or suspect. @throws as require_unchanged_parts
  void require_unchanged(const PartContents& contents, std::uint64_t num_units) const;

  /// Records the program and the machine of a new session in the manifest. A resumed run may use
  /// another build, machine or instruction set. @throws IoError
  void begin_session();

  /// Records in the manifest that units were copied from the run `run`. The next write of the
  /// manifest stores the record.
  void note_reused(const std::string& run, std::uint64_t num_units);

  /// Records the hash of a part that this process wrote. The next write of counts or tables stores
  /// the hash in the manifest file.
  void keep_hash(const WrittenPart& part);

  /// Writes trials.csv, histograms.csv, timings.csv and the counts of the manifest. Returns the
  /// number of rows.
  /// @throws IoError
  std::uint64_t write_tables(const PartContents& contents);

  /// Writes the progress of the run to manifest.json. @throws IoError
  void write_counts(std::uint64_t num_finished_units, std::uint64_t num_rows);

  /// Returns the manifest, which the caller may change. The next write_counts() stores the changes.
  [[nodiscard]] nlohmann::json& manifest() noexcept { return manifest_; }

 private:
  void take_up(const Config& config, OtherRows other_rows);

  std::filesystem::path folder_;
  FileDescriptor lock_;
  nlohmann::json manifest_;
};

/// Returns the total number of rows of all units.
[[nodiscard]] std::uint64_t count_rows(const FinishedUnits& finished);

/// Returns the rows of all units, sorted by their columns.
[[nodiscard]] std::vector<TrialRow> sorted_rows(const FinishedUnits& finished);

}  // namespace bloometry
