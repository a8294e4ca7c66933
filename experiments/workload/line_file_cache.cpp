#include "experiments/workload/line_file_cache.hpp"

#include <fmt/core.h>

#include "core/error.hpp"
#include "core/statistics/seed_sequence.hpp"

namespace bloometry {

FileKeys LineFileCache::keys(const Unit& unit) {
  const std::uint64_t seed = SeedSequence(unit.root_seed).seed("split", unit.keys.name, unit.trial);
  const std::lock_guard lock(mutex_);
  const std::shared_ptr<const LineFile> file = checked_file(unit);
  Split& split = splits_[{unit.keys.path, seed}];
  if (!split) split = std::make_shared<const std::vector<std::uint32_t>>(split_order(*file, seed));
  return {file, split};
}

void LineFileCache::require(const Unit& unit) {
  const std::lock_guard lock(mutex_);
  static_cast<void>(checked_file(unit));
}

std::shared_ptr<const LineFile> LineFileCache::checked_file(const Unit& unit) {
  const KeySource& source = unit.keys;
  std::shared_ptr<const LineFile>& file = files_[source.path];
  if (!file) file = std::make_shared<const LineFile>(source.path);
  // The content hash is part of the unit's id, so rows from a changed file would have a wrong id.
  if (!source.content_hash.empty() && source.content_hash != file->content_hash()) {
    throw IoError(fmt::format("key file {} has changed since the sweep was planned", source.path));
  }
  return file;
}

}  // namespace bloometry
