#include "variants/redis/redis_filter.hpp"

#include <algorithm>
#include <cassert>

#include "core/error.hpp"
#include "variants/redis/redis_keys.hpp"
#include "variants/redis/rotating_parameters.hpp"

namespace bloometry {
namespace {

std::vector<RedisBitmap> strings_at(const std::shared_ptr<RedisClient>& client,
                                    const RedisLocation& location) {
  std::vector<RedisBitmap> strings;
  const std::vector<std::string> keys = location.keys();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint64_t num_bits = location.bits_of_string(i);
    if (location.has_parameters()) {
      strings.emplace_back(client, keys[i], location.fields, num_bits);
    } else {
      strings.emplace_back(client, keys[i], num_bits);
    }
  }
  return strings;
}

/// Returns false if the key does not exist. The command is STRLEN, because readers of filters may
/// use it (deployment.md).
bool may_exist(RedisClient& client, const std::string& key) {
  try {
    return client.command(key, RedisCommands().add("STRLEN", key)).view().integer() != 0;
  } catch (const RedisError& error) {
    if (error.failure() != RedisFailure::kRefused) throw;
    return true;  // the key has another type than a string
  }
}

RedisLocation located(const RedisClient& client, const std::string& name, const std::string& key,
                      RedisFields fields) {
  if (is_rotating(fields)) {
    throw ConfigError(
        "key", "must name a filter that does not rotate, got '" + name + "', a rotating filter");
  }
  try {
    return {.name = name, .parameters = parse_parameters(fields), .fields = std::move(fields)};
  } catch (const ConfigError& error) {
    client.fail(RedisFailure::kChanged, key,
                std::string("contains damaged parameters: ") + error.what());
  }
}

/// Returns the smallest number of set bits that the filter can have.
std::uint64_t least_num_ones(const RedisLocation& location) {
  const auto updates = location.fields.find(kUpdatesField);
  const bool has_updates = updates != location.fields.end() && updates->second != "0";
  const std::uint64_t num_inserted = location.parameters.notes.num_inserted.value_or(0);
  const std::uint64_t least = num_inserted > 0 || has_updates ? 1 : 0;
  return std::max(least, location.parameters.num_ones.value_or(0));
}

/// Throws ConfigError if the method reads the block of each key, but the filter has no blocks.
void require_method(const RedisParameters& parameters, ReadMethod method) {
  if (method != ReadMethod::kGetRange || parameters.block_bits > 1) return;
  throw ConfigError("method",
                    "must be best, getbit or bitfield for a filter without blocks, got getrange");
}

}  // namespace

std::vector<std::string> RedisLocation::keys() const {
  std::vector<std::string> keys;
  if (is_cut()) {
    for (std::uint64_t i = 0; i < parameters.num_shards; ++i) {
      keys.push_back(shard_key(name, i, parameters.version));
    }
  } else if (parameters.scheme == RedisScheme::kPyrebloom) {
    const std::uint64_t num_strings = num_redis_strings(*parameters.scheme, parameters.num_bits);
    for (std::uint64_t i = 0; i < num_strings; ++i) keys.push_back(name + "." + std::to_string(i));
  } else {
    keys.push_back(name);
  }
  return keys;
}

std::uint64_t RedisLocation::bits_per_string() const noexcept {
  if (is_cut()) return parameters.shard_bits;
  if (parameters.scheme == RedisScheme::kPyrebloom) return kPyrebloomStringBits;
  return parameters.num_bits;
}

std::uint64_t RedisLocation::bits_of_string(std::uint64_t i) const noexcept {
  return std::min(bits_per_string(), parameters.num_bits - i * bits_per_string());
}

RedisLocation find_in_redis(RedisClient& client, const std::string& name) {
  // The parameters belong to one string, to the first string of pyrebloom, or to a sharded filter.
  // The function searches all places twice, because a load may replace one kind of filter by
  // another between two lookups.
  const std::vector<std::string> places = {parameters_key(name), parameters_key(name + ".0"),
                                           current_key(name)};
  for (int attempt = 0; attempt < 2; ++attempt) {
    for (const std::string& key : places) {
      RedisFields fields = read_fields(client, key);
      if (!fields.empty()) return located(client, name, key, std::move(fields));
    }
  }
  client.fail(RedisFailure::kMissing, name,
              may_exist(client, name) ? "is not a filter with parameters" : "does not exist");
}

RedisLocation find_bitmap_in_redis(RedisClient& client, const std::string& name, RedisScheme scheme,
                                   const RedisSizes& sizes) {
  RedisLocation location{.name = name, .parameters = foreign_parameters(scheme, sizes)};
  for (const std::string& key : location.keys()) {
    const RedisReply reply = client.command(key, RedisCommands().add("STRLEN", key));
    if (reply.view().integer() == 0) {
      client.fail(RedisFailure::kMissing, key, "does not exist, so keys cannot be queried");
    }
  }
  return location;
}

void require_kept_bits(RedisClient& client, const RedisLocation& location) {
  const std::uint64_t least = least_num_ones(location);
  if (least == 0) return;
  std::uint64_t num_ones = 0;
  for (const std::string& key : location.keys()) {
    const RedisReply reply = client.command(key, RedisCommands().add("BITCOUNT", key));
    num_ones += static_cast<std::uint64_t>(reply.view().integer());
  }
  if (num_ones >= least) return;
  client.fail(RedisFailure::kChanged, location.name,
              "has lost members: at least " + std::to_string(least) +
                  " bits were set, but the server has " + std::to_string(num_ones));
}

RedisFilter::RedisFilter(std::shared_ptr<RedisClient> client, RedisLocation location,
                         const HashCall& hash, Options options)
    : client_(std::move(client)),
      location_(std::move(location)),
      hash_(hash),
      options_(options),
      offsets_(location_.parameters, hash),
      strings_(strings_at(client_, location_)) {
  if (options_.batch_keys == 0) throw ConfigError("batch_keys", "must be above 0, got 0");
  require_method(location_.parameters, options_.method);
}

void RedisFilter::require_current() {
  if (!location_.is_cut()) return;
  const std::string key = current_key(location_.name);
  const RedisFields fields = read_fields(*client_, key);
  if (fields.empty()) {
    client_->fail(RedisFailure::kMissing, key, "no longer exists: the filter was dropped or lost");
  }
  if (fields != location_.fields) {
    client_->fail(RedisFailure::kChanged, key,
                  "contains another version of the filter than the one that was opened");
  }
}

std::vector<Presence> RedisFilter::query(std::span<const KeyView> keys) {
  std::vector<Presence> answers;
  answers.reserve(keys.size());
  while (!keys.empty()) {
    const auto batch = keys.first(std::min(options_.batch_keys, keys.size()));
    query_batch(batch, answers);
    keys = keys.subspan(batch.size());
  }
  return answers;
}

void RedisFilter::query_batch(std::span<const KeyView> keys, std::vector<Presence>& answers) {
  const unsigned num_hashes = offsets_.num_hashes();
  const std::uint64_t block_bits = location_.parameters.block_bits;
  const std::uint64_t per_string = location_.bits_per_string();
  std::vector<std::uint64_t> offsets(keys.size() * num_hashes);
  offsets_.write(keys, offsets);

  require_current();
  std::vector<bool> passes(offsets.size());
  if (strings_.size() == 1) {
    passes = strings_.front().read(offsets, num_hashes, block_bits, options_.method);
  } else {
    // The bits of a key may be in several strings, but the bits of a block are in one string.
    const unsigned group = block_bits > 1 ? num_hashes : 1;
    std::vector<std::uint64_t> in_string;
    std::vector<std::size_t> places;
    for (std::size_t s = 0; s < strings_.size(); ++s) {
      in_string.clear();
      places.clear();
      for (std::size_t i = 0; i < offsets.size(); ++i) {
        if (offsets[i] / per_string != s) continue;
        in_string.push_back(offsets[i] % per_string);
        places.push_back(i);
      }
      if (in_string.empty()) continue;
      const std::vector<bool> bits =
          strings_[s].read(in_string, group, block_bits, options_.method);
      for (std::size_t i = 0; i < places.size(); ++i) passes[places[i]] = bits[i];
    }
  }
  require_current();

  for (std::size_t key = 0; key < keys.size(); ++key) {
    const auto first = passes.begin() + static_cast<std::ptrdiff_t>(key * num_hashes);
    const bool is_present = std::find(first, first + num_hashes, false) == first + num_hashes;
    answers.push_back(is_present ? Presence::kPresent : Presence::kAbsent);
  }
}

RedisAnswer RedisFilter::lookup(KeyView key) {
  try {
    return RedisAnswer(query({&key, 1}).front());
  } catch (const RedisError& error) {
    return RedisAnswer(error);
  }
}

AddedKeys RedisFilter::insert(std::span<const KeyView> keys) {
  AddedKeys added;
  while (!keys.empty()) {
    const auto batch = keys.first(std::min(options_.batch_keys, keys.size()));
    added.num_new += insert_batch(batch).num_new;
    keys = keys.subspan(batch.size());
  }
  return added;
}

AddedKeys RedisFilter::insert_batch(std::span<const KeyView> keys) {
  const unsigned num_hashes = offsets_.num_hashes();
  const std::uint64_t per_string = location_.bits_per_string();
  std::vector<std::uint64_t> offsets(keys.size() * num_hashes);
  offsets_.write(keys, offsets);
  if (strings_.size() == 1) return strings_.front().set(offsets, num_hashes);

  require_current();
  // The number of new keys is known only if all bits of a key are in one string.
  const bool is_whole = location_.parameters.block_bits > 1;
  const unsigned group = is_whole ? num_hashes : 1;
  AddedKeys added;
  for (std::size_t s = 0; s < strings_.size(); ++s) {
    std::vector<std::uint64_t> in_string;
    for (const std::uint64_t offset : offsets) {
      if (offset / per_string == s) in_string.push_back(offset % per_string);
    }
    if (in_string.empty()) continue;
    const AddedKeys here = strings_[s].set(in_string, group);
    if (is_whole) added.num_new += here.num_new;
  }
  require_current();
  return added;
}

void RedisFilter::wait_for_replicas(unsigned num_replicas, std::chrono::milliseconds timeout) {
  for (RedisBitmap& string : strings_) string.wait_for_replicas(num_replicas, timeout);
}

void RedisFilter::reopen() {
  const RedisParameters& before = location_.parameters;
  RedisLocation now = location_.has_parameters()
                          ? find_in_redis(*client_, location_.name)
                          : find_bitmap_in_redis(*client_, location_.name, *before.scheme,
                                                 {before.num_bits, before.num_hashes});
  if (now.parameters.scheme != before.scheme || now.parameters.hash != before.hash ||
      now.parameters.seed != before.seed || now.parameters.key_id != before.key_id) {
    throw ConfigError("hash",
                      "must be the hash of the opened filter, but the filter was replaced by one "
                      "with another hash: open it again");
  }
  require_method(now.parameters, options_.method);
  offsets_ = BitOffsets(now.parameters, hash_);
  strings_ = strings_at(client_, now);
  location_ = std::move(now);
}

}  // namespace bloometry
