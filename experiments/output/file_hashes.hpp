#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/output/run_folder.hpp"

namespace bloometry {

// Hashes of run files, kept in manifest.json so that a file that was changed by accident is found:
//   "hashes": {"parts/000001.jsonl": {"xxh3_128": "<32 hex digits>"},
//              "parts/000002.jsonl": {"xxh3_128": ..., "repaired": true},
//              "trials.csv": {"xxh3_128": ..., "num_columns": 25}}
// A part has one if the process that wrote it ended in good order. trials.csv has one once the run
// was complete.

/// The state of a file compared with its hash in the manifest.
enum class FileState {
  kIntact,    ///< as its process left it
  kRepaired,  ///< as `sweep repair` left it
  kUnhashed,  ///< has no hash: its process was killed, or was of a version without hashes
  kAbsent,    ///< trials.csv, which `report` writes again
  kChanged,   ///< differs from its hash
  kSuspect,   ///< intact only since a repair, or unhashed, and the rows are not those of trials.csv
  kMissing,   ///< a part that has a hash
};

struct CheckedFile {
  std::string name;  ///< below the run folder: parts/000001.jsonl, trials.csv
  FileState state;
};

/// Whether a run with such a file cannot be accepted.
[[nodiscard]] constexpr bool is_fault(FileState state) {
  return state >= FileState::kChanged;
}

/// `intact`, `repaired`, ...
[[nodiscard]] std::string_view name_of(FileState state);

/// Holds all parts against the manifest and, if the run is complete, trials.csv and the rows of
/// the parts as well. Sorted by name.
/// @throws ConfigError, IoError if trials.csv cannot be read.
[[nodiscard]] std::vector<CheckedFile> check_files(const RunData& run);

/// @throws ConfigError unless the manifest's hashes have the form above, or are not there.
void require_valid_hashes(const nlohmann::json& manifest);

/// @param part file name
void set_part_hash(nlohmann::json& manifest, const std::string& part, const std::string& hash);

/// The same of a part that was repaired. It stays intact if what is left is what was hashed first.
void set_repaired_hash(nlohmann::json& manifest, const std::string& part, const std::string& hash);

/// Forgets the hash of a file. @param name as in CheckedFile
void erase_hash(nlohmann::json& manifest, const std::string& name);

/// Returns whether the sweep has written the trials.csv of the complete run.
[[nodiscard]] bool has_trials_hash(const nlohmann::json& manifest);

/// Sets the hash of trials.csv, but not if a part is changed or missing, and not if there is one of
/// a table with the same columns: a config always gives the same rows, so a later table that
/// differs was made of changed parts.
void set_trials_hash(nlohmann::json& manifest, const PartHashes& parts,
                     std::string_view trials_csv);

}  // namespace bloometry
