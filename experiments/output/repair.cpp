#include "experiments/output/repair.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <set>
#include <string_view>

#include "experiments/files/file_descriptor.hpp"
#include "experiments/output/file_hashes.hpp"
#include "experiments/output/run_folder.hpp"
#include "experiments/text/content_hash.hpp"

namespace bloometry {
namespace {

namespace fs = std::filesystem;

/// The content of a part without its damaged lines, which are in `dropped`.
struct RepairedPart {
  fs::path path;
  std::string kept{};
  std::string dropped{};
};

using LineNumbers = std::set<std::uint64_t>;

std::map<fs::path, LineNumbers> damaged_lines(const RunData& run) {
  std::map<fs::path, LineNumbers> lines;
  for (const DamagedLine& line : run.damaged) lines[line.part].insert(line.number);
  return lines;
}

/// Returns the names of parts that are changed or suspect, but have no damaged line that explains
/// the state.
std::set<std::string> distrusted_parts(const RunData& run, const std::vector<CheckedFile>& files) {
  const std::map<fs::path, LineNumbers> explained = damaged_lines(run);
  std::set<std::string> distrusted;
  for (const auto& [name, state] : files) {
    const fs::path part = run.folder / name;
    const bool is_part = part.parent_path().filename() == "parts";
    const bool is_changed = state == FileState::kChanged || state == FileState::kSuspect;
    if (is_part && is_changed && !explained.contains(part)) distrusted.insert(part.filename());
  }
  return distrusted;
}

RepairedPart split_part(const fs::path& path, const LineNumbers& damaged) {
  RepairedPart part{.path = path};
  const std::string text = read_file(path);
  std::string_view rest = text;
  for (std::uint64_t number = 1; !rest.empty(); ++number) {
    const std::size_t size = std::min(rest.find('\n'), rest.size() - 1) + 1;
    (damaged.contains(number) ? part.dropped : part.kept).append(rest.substr(0, size));
    rest.remove_prefix(size);
  }
  return part;
}

/// Returns the first unused file name for the dropped bytes of a part. Readers do not treat a file
/// with this name as a part.
fs::path free_name(const fs::path& part) {
  fs::path name = part.string() + ".damaged";
  for (int i = 2; fs::exists(fs::symlink_status(name)); ++i) {
    name = fmt::format("{}.damaged.{}", part.string(), i);
  }
  return name;
}

/// Returns the units of dropped lines that no other line contains, in the order of the config.
std::vector<Unit> lost_units(const RunData& run) {
  std::set<std::string> lost;
  for (const DamagedLine& line : run.damaged) lost.insert(line.unit);
  for (const UnitTiming& timing : run.timings) lost.erase(timing.unit);
  std::vector<Unit> units;
  std::copy_if(run.units.begin(), run.units.end(), std::back_inserter(units),
               [&](const Unit& unit) { return lost.contains(unit.id); });
  return units;
}

Repair describe(const RunData& run, const std::vector<CheckedFile>& files) {
  Repair repair{.dropped = run.damaged,
                .lost = lost_units(run),
                .num_units = run.num_units,
                .num_finished_units = run.num_finished_units};
  for (const auto& [name, state] : files) {
    const bool is_empty = state == FileState::kChanged && name.starts_with("parts/") &&
                          fs::file_size(run.folder / name) == 0;
    if (state == FileState::kMissing || is_empty) repair.missing.push_back(name);
  }
  return repair;
}

/// Removes the hash of trials.csv if there were suspect parts. After the repair, the remaining rows
/// are trusted, but trials.csv may have been made from the dropped rows.
void forget_suspected_table(nlohmann::json& manifest, const std::vector<CheckedFile>& files) {
  const bool has_suspect = std::any_of(files.begin(), files.end(), [](const CheckedFile& file) {
    return file.state == FileState::kSuspect;
  });
  if (has_suspect) erase_hash(manifest, "trials.csv");
}

}  // namespace

Repair repair_run(const fs::path& path) {
  RunFolder folder(path);
  RunData run = scan_run(path);
  const std::vector<CheckedFile> files = check_files(run);
  const std::set<std::string> distrusted = distrusted_parts(run, files);
  if (!distrusted.empty()) run = scan_run(path, distrusted);
  Repair repair = describe(run, files);
  if (repair.found_nothing()) return repair;

  std::vector<RepairedPart> parts;
  for (const auto& [part, lines] : damaged_lines(run)) {
    parts.push_back(split_part(part, lines));
    repair.kept_in.push_back(free_name(part));
    replace_file(repair.kept_in.back(), parts.back().dropped);
    set_repaired_hash(folder.manifest(), part.filename(), content_hash(parts.back().kept));
  }
  for (const std::string& name : repair.missing) erase_hash(folder.manifest(), name);
  forget_suspected_table(folder.manifest(), files);
  folder.write_counts(run.num_finished_units, run.rows.size());
  for (const RepairedPart& part : parts) replace_file(part.path, part.kept);
  return repair;
}

}  // namespace bloometry
