#include "experiments/output/file_hashes.hpp"

#include <array>
#include <filesystem>
#include <fmt/core.h>
#include <map>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/output/csv.hpp"
#include "experiments/plan/json_document.hpp"
#include "experiments/text/content_hash.hpp"
#include "experiments/text/shell_text.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::json;

constexpr const char* kHashes = "hashes";
constexpr const char* kHash = "xxh3_128";
constexpr const char* kRepaired = "repaired";
constexpr const char* kNumColumns = "num_columns";
constexpr const char* kTrials = "trials.csv";

std::string part_key(const std::string& part) {
  return "parts/" + part;
}

/// Returns the hashes in the manifest by file name, or an empty object if the manifest does not
/// contain hashes.
Json hashes_of(const Json& manifest) {
  return manifest.value(kHashes, Json::object());
}

std::uint64_t num_columns(std::string_view csv) {
  const std::string_view header = csv.substr(0, csv.find('\n'));
  return 1 + static_cast<std::uint64_t>(std::count(header.begin(), header.end(), ','));
}

/// Makes trials.csv from the rows of the parts. Returns its number of columns and its hash.
std::pair<std::uint64_t, std::string> table_of(const RunData& run) {
  const std::string csv = trials_csv(run.rows);
  return {num_columns(csv), content_hash(csv)};
}

FileState state_of_part(const Json& entry, const std::string& hash) {
  if (entry.at(kHash) != hash) return FileState::kChanged;
  return entry.value(kRepaired, false) ? FileState::kRepaired : FileState::kIntact;
}

std::map<std::string, FileState> check_parts(const Json& hashes, const PartHashes& parts) {
  std::map<std::string, FileState> states;
  for (const auto& [name, entry] : hashes.items()) {
    if (name != kTrials) states[name] = FileState::kMissing;
  }
  for (const auto& [part, hash] : parts) {
    const std::string name = part_key(part);
    states[name] =
        hashes.contains(name) ? state_of_part(hashes.at(name), hash) : FileState::kUnhashed;
  }
  return states;
}

bool has_fault(const std::map<std::string, FileState>& states) {
  return std::any_of(states.begin(), states.end(),
                     [](const auto& file) { return is_fault(file.second); });
}

FileState state_of_trials(const RunData& run, const std::string& hash) {
  const std::filesystem::path path = run.folder / kTrials;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return FileState::kAbsent;
  return content_hash(read_file(path)) == hash ? FileState::kIntact : FileState::kChanged;
}

/// Marks parts as suspect. The caller has found that the hash of the rows differs from the recorded
/// hash of trials.csv. If a part is changed or missing, this part explains the difference, and the
/// function does not mark any part. If all parts are present and unchanged, the function marks
/// every part that is not intact. A part that is not intact lacks a hash from the process that
/// wrote the part.
void suspect_parts(std::map<std::string, FileState>& states) {
  if (has_fault(states)) return;
  for (auto& [name, state] : states) {
    if (state != FileState::kIntact) state = FileState::kSuspect;
  }
}

}  // namespace

std::string_view name_of(FileState state) {
  constexpr std::array<std::string_view, 7> kNames = {"intact",  "repaired", "unhashed", "absent",
                                                      "changed", "suspect",  "missing"};
  return kNames.at(static_cast<std::size_t>(state));
}

std::vector<CheckedFile> check_files(const RunData& run) {
  const Json hashes = hashes_of(run.manifest);
  std::map<std::string, FileState> states = check_parts(hashes, run.part_hashes);
  if (run.num_finished_units == run.num_units) {
    const auto [columns, hash] = table_of(run);
    const Json entry = hashes.value(kTrials, Json::object());
    if (entry.value(kNumColumns, std::uint64_t{0}) == columns) {
      if (entry.at(kHash) != hash) suspect_parts(states);
      states[kTrials] = state_of_trials(run, entry.at(kHash));
    } else {
      states[kTrials] = FileState::kUnhashed;
    }
  }
  std::vector<CheckedFile> files;
  for (const auto& [name, state] : states) files.push_back({name, state});
  return files;
}

std::string explanation(FileState state) {
  switch (state) {
    case FileState::kRepaired:
      return "intact since its last repair";
    case FileState::kUnhashed:
      return "does not have a hash: the program that wrote it was killed, or does not write hashes";
    case FileState::kAbsent:
      return "`bloometry report` writes it again";
    case FileState::kChanged:
      return "differs from its hash in manifest.json";
    case FileState::kSuspect:
      return "may have been changed: the rows of the parts are not those of trials.csv";
    case FileState::kMissing:
      return "has a hash in manifest.json, but does not exist";
    default:
      return {};
  }
}

void require_unchanged_parts(const RunData& run) {
  for (const auto& [name, state] : check_files(run)) {
    const std::filesystem::path part = run.folder / name;
    const bool is_torn = std::any_of(run.damaged.begin(), run.damaged.end(),
                                     [&](const DamagedLine& line) { return line.part == part; });
    const bool is_altered = state == FileState::kChanged || state == FileState::kSuspect;
    if (name == kTrials || !is_altered || is_torn) continue;
    throw ConfigError(fmt::format("{} {}; `bloometry sweep repair {}` drops the changed rows",
                                  part.string(), explanation(state),
                                  shell_word(run.folder.string())));
  }
}

void require_valid_hashes(const Json& manifest) {
  if (!manifest.is_object()) {
    throw ConfigError("manifest.json must be an object, got " + shown_json(manifest));
  }
  const auto is_valid_entry = [](const Json& entry) {
    return entry.is_object() && entry.contains(kHash) && entry.at(kHash).is_string() &&
           (!entry.contains(kRepaired) || entry.at(kRepaired).is_boolean()) &&
           (!entry.contains(kNumColumns) || entry.at(kNumColumns).is_number_unsigned());
  };
  const auto require = [](bool holds, const std::string& rule, const Json& got) {
    if (holds) return;
    throw ConfigError(
        fmt::format("/{} of its manifest.json must {}, got {}", kHashes, rule, shown_json(got)));
  };
  const Json hashes = hashes_of(manifest);
  require(hashes.is_object(), "be an object", hashes);
  const std::string rule = fmt::format("contain an object with {} for each file", kHash);
  for (const Json& entry : hashes) require(is_valid_entry(entry), rule, entry);
}

void set_part_hash(Json& manifest, const std::string& part, const std::string& hash) {
  manifest[kHashes][part_key(part)] = Json::object({{kHash, hash}});
}

void set_repaired_hash(Json& manifest, const std::string& part, const std::string& hash) {
  Json& entry = manifest[kHashes][part_key(part)];
  if (entry.is_object() && entry.at(kHash) == hash) return;
  entry = Json::object({{kHash, hash}, {kRepaired, true}});
}

void erase_hash(Json& manifest, const std::string& name) {
  if (manifest.contains(kHashes)) manifest[kHashes].erase(name);
}

bool has_trials_hash(const Json& manifest) {
  return hashes_of(manifest).contains(kTrials);
}

void set_trials_hash(Json& manifest, const PartHashes& parts, std::string_view trials_csv) {
  if (has_fault(check_parts(hashes_of(manifest), parts))) return;
  Json& entry = manifest[kHashes][kTrials];
  const std::uint64_t columns = num_columns(trials_csv);
  if (entry.is_object() && entry.value(kNumColumns, std::uint64_t{0}) == columns) return;
  entry = Json::object({{kHash, content_hash(trials_csv)}, {kNumColumns, columns}});
}

}  // namespace bloometry
