#include "experiments/workload/key_files.hpp"

#include "core/error.hpp"
#include "core/random/seed_sequence.hpp"
#include "experiments/unit/key_demand.hpp"

namespace bloometry {

void require_enough_lines(const KeyFile& file, const Unit& unit) {
  const std::uint64_t num_lines = file.lines().size();
  if (num_lines == 0) throw ConfigError("key file " + unit.keys.path + " is empty");
  const KeyDemand demand = key_demand(unit);
  if (num_lines >= demand.num_keys()) return;
  const std::string candidates =
      demand.num_candidates == 0
          ? ""
          : " + " + std::to_string(demand.num_candidates) + " candidates for wrongful erases";
  throw ConfigError(
      "key file " + unit.keys.path + " must have at least " + std::to_string(demand.num_keys()) +
      " distinct lines (" + std::to_string(demand.num_members) + " members + " +
      std::to_string(demand.num_queries) + " queries" + candidates + "), got " +
      std::to_string(num_lines) + " and " + std::to_string(file.num_duplicates()) + " duplicates");
}

FileKeys KeyFiles::keys(const Unit& unit) {
  const std::uint64_t seed = SeedSequence(unit.root_seed).seed("split", unit.keys.name, unit.trial);
  const std::lock_guard lock(mutex_);
  const std::shared_ptr<const KeyFile> file = checked_file(unit);
  Split& split = splits_[{unit.keys.path, seed}];
  if (!split) split = std::make_shared<const std::vector<std::uint32_t>>(split_order(*file, seed));
  return {file, split};
}

void KeyFiles::require(const Unit& unit) {
  const std::lock_guard lock(mutex_);
  static_cast<void>(checked_file(unit));
}

std::shared_ptr<const KeyFile> KeyFiles::checked_file(const Unit& unit) {
  const KeySource& source = unit.keys;
  std::shared_ptr<const KeyFile>& file = files_[source.path];
  if (!file) file = std::make_shared<const KeyFile>(source.path);
  // The hash is part of the unit's id: other content would be rows under a wrong name.
  if (!source.content_hash.empty() && source.content_hash != file->content_hash()) {
    throw IoError("key file " + source.path + " has changed since the sweep was planned");
  }
  require_enough_lines(*file, unit);
  return file;
}

}  // namespace bloometry
