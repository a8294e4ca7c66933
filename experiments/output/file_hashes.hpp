#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/output/run_folder.hpp"

namespace bloometry {

// Hashes of a run's files, stored in manifest.json to detect accidental changes:
//   "hashes": {"parts/000001.jsonl": {"xxh3_128": "<32 hex digits>"},
//              "parts/000002.jsonl": {"xxh3_128": ..., "repaired": true},
//              "trials.csv": {"xxh3_128": ..., "num_columns": 25}}
// A part has a hash if its process ended normally. trials.csv has a hash once the run is complete.

/// The state of a file, according to its hash in the manifest.
enum class FileState {
  kIntact,    ///< a part that is unchanged since its process wrote it, or an unchanged trials.csv
  kRepaired,  ///< a part that is unchanged since `sweep repair` wrote it
  kUnhashed,  ///< a file without a hash; a process that is killed does not write hashes
  kAbsent,    ///< trials.csv does not exist; `report` recreates it
  kChanged,   ///< the content differs from the recorded hash
  kSuspect,   ///< a part that is repaired or unhashed, while the rows differ from trials.csv
  kMissing,   ///< a part that does not exist, although the manifest has its hash
};

struct CheckedFile {
  std::string name;  ///< relative to the run folder, for example parts/000001.jsonl
  FileState state;
};

/// Returns whether a run with a file in this state must be rejected.
[[nodiscard]] constexpr bool is_fault(FileState state) {
  return state >= FileState::kChanged;
}

/// Returns an explanation of the state of a file, or an empty text for an intact file.
[[nodiscard]] std::string explanation(FileState state);

/// Checks that no part is changed or suspect. A part whose last line is torn counts as unchanged,
/// because the unit of this line is run again, like the units of a missing part.
/// @throws ConfigError naming the first faulty part, and the command that repairs the run
void require_unchanged_parts(const RunData& run);

/// Returns the name of the state, for example `intact` or `repaired`.
[[nodiscard]] std::string_view name_of(FileState state);

/// Compares all parts with their hashes in the manifest. If the run is complete, the function also
/// compares trials.csv with its hash and with the rows of the parts. The result is sorted by name.
/// @throws ConfigError or IoError if trials.csv cannot be read
[[nodiscard]] std::vector<CheckedFile> check_files(const RunData& run);

/// Accepts a manifest without hashes, or with hashes in the form that is shown at the top of this
/// file.
/// @throws ConfigError if the hashes have another form
void require_valid_hashes(const nlohmann::json& manifest);

/// Sets the hash of a part. @param part name of the part's file
void set_part_hash(nlohmann::json& manifest, const std::string& part, const std::string& hash);

/// Sets the hash of a repaired part. The state of the part remains kIntact if the repaired bytes
/// have the hash that the writing process recorded.
void set_repaired_hash(nlohmann::json& manifest, const std::string& part, const std::string& hash);

/// Removes the hash of a file. @param name name of the file, as in CheckedFile
void erase_hash(nlohmann::json& manifest, const std::string& name);

/// Returns whether the manifest has a hash of trials.csv, that is, whether the sweep has written
/// trials.csv for the complete run.
[[nodiscard]] bool has_trials_hash(const nlohmann::json& manifest);

/// Sets the hash of trials.csv. The old hash of trials.csv remains if a part is changed or missing.
/// The old hash also remains if the old table has the same columns as the new table. A config
/// always produces the same rows, so a later table with different rows was made from changed parts.
void set_trials_hash(nlohmann::json& manifest, const PartHashes& parts,
                     std::string_view trials_csv);

}  // namespace bloometry
