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
#include "experiments/rows/trial_row.hpp"
#include "experiments/rows/unit_result.hpp"

namespace bloometry {

/// Everything that was read back from a run folder.
struct RunData {
  std::filesystem::path folder;
  Config config;                    ///< config.json, as resolved
  nlohmann::json manifest;          ///< manifest.json
  std::vector<TrialRow> rows;       ///< sorted; a torn last line is ignored, equal doubles are one
  std::vector<UnitTiming> timings;  ///< sorted by unit
  std::vector<Unit> units;          ///< of the rows, sorted by id: what a row cannot say
  std::uint64_t num_units = 0;      ///< units of the config
  std::uint64_t num_finished_units = 0;
  PartHashes part_hashes{};            ///< of the files in parts/ as they are
  std::vector<DamagedLine> damaged{};  ///< lines of parts that are not in `rows`
};

/// Whether a run was begun here: there is a config.json.
[[nodiscard]] bool holds_run(const std::filesystem::path& folder);

/// Reads a run folder from config.json, manifest.json and parts/ alone. The points of its units are
/// those of their rows: what the config leaves to a search (the best k, numbers of queries) is not
/// searched again, unless a line is damaged.
/// @throws ConfigError if it is not a run folder, is of another rows_version, has something other
/// than a regular file where a run file belongs, or holds what is not of its config (see
/// read_parts); IoError if a file cannot be read.
[[nodiscard]] RunData read_run(const std::filesystem::path& folder);

/// Reads a run folder in the same way, but leaves damaged lines of parts out and lists them, and
/// its units are all of the config, as expand() gives them.
/// @param distrusted as LeftOut has it.
[[nodiscard]] RunData scan_run(const std::filesystem::path& folder,
                               const std::set<std::string>& distrusted = {});

/// A run folder opened for writing. Others are kept out while it lives (one flock on parts/lock).
class RunFolder {
 public:
  /// Opens the folder of this config, or makes it: config.json, manifest.json, parts/. A folder of
  /// another config of the same name and seed becomes one of this config: finished units that both
  /// ask for are kept, and those that this one does not ask for stay in parts/ and are not read.
  /// @throws ConfigError if the path cannot be used, holds a run of another name, seed or
  /// rows_version, a damaged one or something that is no run, or is in use; nothing is changed or
  /// left behind then. IoError if the disk fails.
  RunFolder(std::filesystem::path folder, const Config& config);

  /// Opens a folder that holds a run. @throws ConfigError if it cannot be used, is none or in use.
  explicit RunFolder(std::filesystem::path folder);

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return folder_; }

  [[nodiscard]] std::filesystem::path parts() const { return folder_ / "parts"; }

  /// Ids of the finished units that earlier configs of the folder asked for, and perhaps this one.
  [[nodiscard]] std::set<std::string> retired_units() const;

  /// Adds to the manifest that units are about to be run, by which program and on what: a run that
  /// is taken up may be so by another build, machine or instruction set. @throws IoError
  void begin_session();

  /// Keeps for the manifest that units were copied from another run of that name.
  void note_reused(const std::string& run, std::uint64_t num_units);

  /// Keeps the hash of a part that this process wrote: with the next counts or tables it goes into
  /// the manifest.
  void keep_hash(const WrittenPart& part);

  /// Writes trials.csv, histograms.csv, timings.csv and the counts of the manifest; returns the
  /// number of rows.
  /// @throws IoError
  std::uint64_t write_tables(const PartContents& contents);

  /// Writes into manifest.json how far the run is. @throws IoError
  void write_counts(std::uint64_t num_finished_units, std::uint64_t num_rows);

  /// The manifest, for changes that the next write_counts() writes.
  [[nodiscard]] nlohmann::json& manifest() noexcept { return manifest_; }

 private:
  void take_up(const Config& config);

  std::filesystem::path folder_;
  FileDescriptor lock_;
  nlohmann::json manifest_;
};

/// Returns the number of rows of all units.
[[nodiscard]] std::uint64_t count_rows(const FinishedUnits& finished);

/// Rows of all units, sorted by their columns.
[[nodiscard]] std::vector<TrialRow> sorted_rows(const FinishedUnits& finished);

}  // namespace bloometry
