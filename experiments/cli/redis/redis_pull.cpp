#include "experiments/cli/redis/redis_pull.hpp"

#include <array>
#include <charconv>
#include <span>
#include <string>
#include <vector>

#include "core/file/stored_file.hpp"
#include "experiments/files/scratch_folder.hpp"
#include "experiments/filter_files/bloometry_filter.hpp"
#include "experiments/filter_files/foreign_filters.hpp"
#include "variants/redis/redis_bitmap.hpp"
#include "variants/redis/redis_keys.hpp"
#include "variants/redis/redis_load.hpp"

namespace bloometry::redis_cli {
namespace {

std::uint64_t number_in(const RedisFields& fields, const char* name) {
  std::uint64_t number = 0;
  const auto field = fields.find(name);
  if (field == fields.end()) return number;
  std::from_chars(field->second.data(), field->second.data() + field->second.size(), number);
  return number;
}

}  // namespace

std::uint64_t num_updates(RedisClient& client, const RedisLocation& location) {
  if (!location.has_parameters()) return 0;
  std::uint64_t num_updates = 0;
  const std::vector<std::string> keys = location.keys();
  for (const std::string& key : keys) {
    num_updates += number_in(read_fields(client, parameters_key(key)), kUpdatesField);
  }
  // If the bits of a key are in several strings, the sum of the counts is the number of written
  // bits, not of keys.
  const bool counts_keys = keys.size() == 1 || location.parameters.block_bits > 1;
  return counts_keys ? num_updates : num_updates / location.parameters.num_hashes;
}

void pull_to_file(const std::shared_ptr<RedisClient>& client, const RedisLocation& location,
                  const std::filesystem::path& path, const OnProgress& on_progress) {
  FileHeader header = location.parameters.header();
  std::vector<std::uint64_t> words((header.geometry.num_cells + 63) / 64);
  pull_from_redis(client, location, words, on_progress);
  // The keys that were added since the load may include duplicates.
  if (num_updates(*client, location) > 0) header.notes.num_inserted.reset();
  const std::array<std::span<const std::uint64_t>, 1> stores = {words};
  write_filter_file(path, header, stores);
}

std::unique_ptr<FileFilter> pulled_filter(const std::shared_ptr<RedisClient>& client,
                                          const RedisLocation& location) {
  if (location.parameters.scheme) {
    return foreign_filter_of(pull_bitmap_from_redis(client, location));
  }
  // A filter can be made from a spec or from a file, but not from words in memory.
  const ScratchFolder folder("bloometry-redis-");
  const std::filesystem::path path = folder.path() / "filter";
  pull_to_file(client, location, path);
  return BloometryFilter::load(path, std::nullopt);
}

}  // namespace bloometry::redis_cli
