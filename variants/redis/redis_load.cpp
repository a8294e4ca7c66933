#include "variants/redis/redis_load.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/redis/redis_error.hpp"
#include "core/store/word_bytes.hpp"
#include "variants/redis/redis_bitmap.hpp"
#include "variants/redis/redis_keys.hpp"

namespace bloometry {
namespace {

/// Maximum size of a string in bytes.
constexpr std::uint64_t kMaxStringBytes = std::uint64_t{1} << 29U;

/// Renames the loaded keys if the loaded bitmap and parameters are complete. Replies 1 if this
/// attempt renames the keys, or if an earlier attempt whose reply was lost has renamed the keys.
/// Replies 2 if the key of the filter must be free but exists, and 0 if the loaded keys are
/// incomplete.
///
/// KEYS: the loaded bitmap, its parameters, and the keys that they replace. ARGV: version, number
/// of bytes, number of set bits, expiry in milliseconds or 0, whether the key must be free.
constexpr std::string_view kFinishScript = R"(
if redis.call('TYPE', KEYS[4]).ok == 'hash' and redis.call('HGET', KEYS[4], 'version') == ARGV[1] then
  return 1
end
if ARGV[5] == '1' and redis.call('EXISTS', KEYS[3], KEYS[4]) > 0 then return 2 end
if redis.call('STRLEN', KEYS[1]) ~= tonumber(ARGV[2]) then return 0 end
if redis.call('BITCOUNT', KEYS[1]) ~= tonumber(ARGV[3]) then return 0 end
if redis.call('HGET', KEYS[2], 'version') ~= ARGV[1] then return 0 end
for i = 2, 1, -1 do
  if ARGV[4] == '0' then redis.call('PERSIST', KEYS[i]) else redis.call('PEXPIRE', KEYS[i], ARGV[4]) end
end
redis.call('RENAME', KEYS[1], KEYS[3])
redis.call('RENAME', KEYS[2], KEYS[4])
return 1
)";

bool exists(RedisClient& client, const std::string& key) {
  return client.command(key, RedisCommands().add("EXISTS", key)).view().integer() != 0;
}

/// Appends commands that delete the previous value of a key and then store a hash with the given
/// fields under this key.
void add_fields(RedisCommands& commands, const std::string& key, const RedisFields& fields) {
  commands.add("DEL", key);
  commands.begin(2 + 2 * fields.size()).argument("HSET").argument(key);
  for (const auto& [name, value] : fields) commands.argument(name).argument(value);
}

RedisFields stored_fields(const RedisParameters& parameters) {
  RedisFields fields = parameters.fields();
  fields[kUpdatesField] = "0";
  return fields;
}

std::uint64_t num_ones(std::string_view bytes) {
  std::uint64_t ones = 0;
  for (const char byte : bytes) {
    ones += static_cast<unsigned>(std::popcount(static_cast<unsigned char>(byte)));
  }
  return ones;
}

/// Returns the number of set bits of all strings.
std::uint64_t num_ones(const RedisLocation& location, const BitmapSource& source,
                       std::uint64_t slice_bytes) {
  std::uint64_t ones = 0;
  const std::size_t num_strings = location.keys().size();
  for (std::size_t i = 0; i < num_strings; ++i) {
    const std::uint64_t num_bytes = (location.bits_of_string(i) + 7) / 8;
    for (std::uint64_t first = 0; first < num_bytes; first += slice_bytes) {
      ones += num_ones(source(i, first, std::min(slice_bytes, num_bytes - first)));
    }
  }
  return ones;
}

bool is_zero(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char byte) { return byte == '\0'; });
}

/// Loads all strings of one filter. The destructor removes the loaded keys if the load is not
/// finished.
class Loader {
 public:
  Loader(RedisClient& client, const RedisLocation& location, const RedisLoadOptions& options)
      : client_(client), location_(location), options_(options), keys_(location.keys()) {
    for (std::size_t i = 0; i < keys_.size(); ++i) num_bytes_all_ += num_bytes_of(i);
  }

  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  ~Loader() {
    if (is_finished_) return;
    try {
      for (const std::string& key : keys_) {
        const std::string loading = loading_key(key, location_.parameters.version);
        remove(loading, loading + ":parameters");
        // The names of the shards contain the version, which queries do not use yet.
        if (location_.is_cut()) remove(key, parameters_key(key));
      }
    } catch (const std::exception&) {
      // If the server is not reachable, the loaded keys expire.
    }
  }

  void load(const BitmapSource& source) {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const std::uint64_t ones = send(i, source);
      finish(i, ones);
    }
  }

  void set_finished(bool is_finished) noexcept { is_finished_ = is_finished; }

 private:
  [[nodiscard]] std::uint64_t num_bytes_of(std::size_t i) const {
    return (location_.bits_of_string(i) + 7) / 8;
  }

  void remove(const std::string& key, const std::string& parameters) {
    static_cast<void>(client_.run(key, RedisCommands().add("UNLINK", key, parameters)));
  }

  /// Sends the bytes of a string to its temporary key. Returns the number of set bits of the
  /// string.
  std::uint64_t send(std::size_t i, const BitmapSource& source) {
    const std::string key = loading_key(keys_[i], location_.parameters.version);
    const std::uint64_t num_bytes = num_bytes_of(i);
    RedisCommands begin;
    begin.add("DEL", key).add("SETRANGE", key, num_bytes - 1, std::string_view("\0", 1));
    begin.add("PEXPIRE", key, kLoadingTtl.count());
    add_fields(begin, key + ":parameters", stored_fields(location_.parameters));
    begin.add("PEXPIRE", key + ":parameters", kLoadingTtl.count());
    static_cast<void>(client_.transaction(key, begin));

    std::uint64_t ones = 0;
    for (std::uint64_t first = 0; first < num_bytes; first += options_.slice_bytes) {
      const std::uint64_t size = std::min(options_.slice_bytes, num_bytes - first);
      const std::string slice = source(i, first, size);
      // The string initially contains only zeros.
      if (!is_zero(slice)) {
        static_cast<void>(client_.command(key, RedisCommands().add("SETRANGE", key, first, slice)));
        ones += num_ones(slice);
      }
      num_bytes_done_ += size;
      if (options_.on_progress) options_.on_progress(num_bytes_done_, num_bytes_all_);
    }
    return ones;
  }

  void finish(std::size_t i, std::uint64_t ones) {
    const std::string& key = keys_[i];
    const std::string loading = loading_key(key, location_.parameters.version);
    RedisCommands command;
    command.add("EVAL", kFinishScript, 4, loading, loading + ":parameters", key,
                parameters_key(key), location_.parameters.version, num_bytes_of(i), ones,
                options_.ttl ? options_.ttl->count() : 0, options_.needs_free_key ? 1 : 0);
    const std::int64_t result = client_.command(key, command).view().integer();
    if (result == 1) return;
    if (result == 2) client_.fail(RedisFailure::kChanged, key, "already exists");
    client_.fail(
        RedisFailure::kChanged, key,
        "was not replaced: the loaded data does not exist any more (memory full, or deleted)");
  }

  RedisClient& client_;
  const RedisLocation& location_;
  const RedisLoadOptions& options_;
  std::vector<std::string> keys_;
  std::uint64_t num_bytes_done_ = 0;
  std::uint64_t num_bytes_all_ = 0;
  bool is_finished_ = false;
};

/// Sets the number of shards of the filter and the length of a shard.
void cut(RedisParameters& parameters, const std::optional<std::uint64_t>& num_shards) {
  constexpr std::uint64_t kUnit = 512;  // shards have whole blocks
  if (parameters.scheme) {
    if (num_shards.value_or(1) == 1) return;
    throw ConfigError("num_shards",
                      "must be left out with scheme " + std::string(parameters.scheme_name()) +
                          ", because other programs of this scheme read only one Redis key");
  }
  const std::uint64_t fewest = (parameters.num_bits - 1) / (8 * kMaxStringBytes) + 1;
  const std::uint64_t wanted = num_shards.value_or(fewest);
  const std::uint64_t num_units = (parameters.num_bits + kUnit - 1) / kUnit;
  const std::uint64_t most = std::min(num_units, kMaxShards);
  if (wanted < fewest || wanted > most) {
    throw ConfigError("num_shards", "must be in [" + std::to_string(fewest) + ", " +
                                        std::to_string(most) + "], got " + std::to_string(wanted));
  }
  if (wanted == 1) return;
  const std::uint64_t units = (num_units + wanted - 1) / wanted;
  parameters.shard_bits = units * kUnit;
  parameters.num_shards = (parameters.num_bits - 1) / parameters.shard_bits + 1;
}

/// Checks that the filter has one string, because only one string can be created in one step.
void require_one_string(const RedisLocation& location,
                        const std::optional<std::uint64_t>& num_shards) {
  if (location.keys().size() == 1) return;
  const RedisParameters& parameters = location.parameters;
  const std::uint64_t most = parameters.scheme ? kPyrebloomStringBits : 8 * kMaxStringBytes;
  if (parameters.num_bits > most) {
    throw ConfigError("num_bits", "must be at most " + std::to_string(most) +
                                      " for a filter that is created, got " +
                                      std::to_string(parameters.num_bits));
  }
  throw ConfigError("num_shards", "must be 1 for a filter that is created, got " +
                                      std::to_string(num_shards.value_or(parameters.num_shards)));
}

/// Returns the location of the existing filter, or nullopt if the filter does not exist.
std::optional<RedisLocation> find_before(RedisClient& client, const std::string& name) {
  try {
    return find_in_redis(client, name);
  } catch (const RedisError& error) {
    if (error.failure() == RedisFailure::kMissing) return std::nullopt;
    throw;
  }
}

void require_replaceable(RedisClient& client, const RedisLocation& location,
                         const std::optional<RedisLocation>& before) {
  if (before || location.is_cut()) return;
  for (const std::string& key : location.keys()) {
    if (!exists(client, key)) continue;
    throw ConfigError("key", "must be a new key or contain a filter with parameters, got '" + key +
                                 "', which contains a " + type_of(client, key));
  }
}

void write_current(RedisClient& client, const RedisLocation& location,
                   const RedisLoadOptions& options) {
  const std::string key = current_key(location.name);
  RedisCommands commands;
  add_fields(commands, key, location.parameters.fields());
  if (options.ttl) commands.add("PEXPIRE", key, options.ttl->count());
  static_cast<void>(client.transaction(key, commands));
}

/// Sets the valid version to the version of the given location. If the reply is lost, the function
/// reads the valid version from the server. If this read also fails, the function keeps the loaded
/// shards, because their version may be valid.
void switch_current(RedisClient& client, const RedisLocation& location,
                    const RedisLoadOptions& options, Loader& loader) {
  try {
    write_current(client, location, options);
  } catch (const RedisError& error) {
    if (error.failure() != RedisFailure::kUnreachable) throw;
    loader.set_finished(true);
    if (read_fields(client, current_key(location.name)) == location.fields) return;
    loader.set_finished(false);
    throw;
  }
}

void remove_string(RedisClient& client, const std::string& key) {
  static_cast<void>(client.command(key, RedisCommands().add("UNLINK", key, parameters_key(key))));
}

/// Removes the keys of the previous filter that the new filter does not use. The shards of the
/// previous filter remain readable for RedisLoadOptions::old_shards_ttl.
void retire(RedisClient& client, const RedisLocation& before, const RedisLocation& now,
            const RedisLoadOptions& options) {
  const std::vector<std::string> kept = now.keys();
  for (const std::string& key : before.keys()) {
    if (std::find(kept.begin(), kept.end(), key) != kept.end()) continue;
    if (before.is_cut()) {
      RedisCommands commands;
      commands.add("PEXPIRE", parameters_key(key), options.old_shards_ttl.count());
      commands.add("PEXPIRE", key, options.old_shards_ttl.count());
      static_cast<void>(client.transaction(key, commands));
    } else {
      remove_string(client, key);
    }
  }
  if (before.is_cut() && !now.is_cut()) {
    const std::string key = current_key(before.name);
    static_cast<void>(client.command(key, RedisCommands().add("UNLINK", key)));
  }
}

std::string bytes_of(std::span<const std::uint64_t> words, std::uint64_t first,
                     std::uint64_t num_bytes) {
  std::string bytes(num_bytes, '\0');
  for (std::uint64_t i = 0; i < num_bytes; ++i) {
    const std::uint64_t at = first + i;
    bytes[i] = static_cast<char>(words[at / 8] >> (8 * (at % 8)));
  }
  return bytes;
}

}  // namespace

RedisParameters load_into_redis(RedisClient& client, const std::string& name,
                                RedisParameters parameters, const BitmapSource& source,
                                const RedisLoadOptions& options) {
  if (options.ttl && options.ttl->count() <= 0) {
    throw ConfigError("ttl",
                      "must be above 0, got " + std::to_string(options.ttl->count()) + " ms");
  }
  cut(parameters, options.num_shards);
  parameters.version = random_version();
  parameters.num_ones =
      num_ones({.name = name, .parameters = parameters}, source, options.slice_bytes);
  const RedisLocation location{
      .name = name, .parameters = parameters, .fields = parameters.fields()};
  for (const std::string& key : location.keys()) static_cast<void>(parameters_key(key));
  if (options.needs_free_key) require_one_string(location, options.num_shards);
  std::optional<RedisLocation> before;
  if (options.replaces_anything) {
    try {
      before = find_before(client, name);
    } catch (const RedisError& error) {
      if (error.failure() == RedisFailure::kUnreachable) throw;
    }
  } else {
    before = find_before(client, name);
    require_replaceable(client, location, before);
  }
  Loader loader(client, location, options);
  loader.load(source);
  if (location.is_cut()) switch_current(client, location, options, loader);
  loader.set_finished(true);
  if (before) retire(client, *before, location, options);
  return parameters;
}

RedisParameters load_into_redis(RedisClient& client, const std::string& name,
                                const FilterImage& image, const RedisLoadOptions& options) {
  const RedisParameters parameters = native_parameters(image.header);
  const std::span<const std::uint64_t> words = image.stores.front();
  // All shards but the last have the same length.
  RedisParameters shape = parameters;
  cut(shape, options.num_shards);
  return load_into_redis(
      client, name, parameters,
      [&](std::uint64_t i, std::uint64_t first, std::uint64_t num_bytes) {
        return bytes_of(words, i * (shape.shard_bits / 8) + first, num_bytes);
      },
      options);
}

RedisParameters load_into_redis(RedisClient& client, const std::string& name,
                                const RedisBitmapFilter& filter, const RedisLoadOptions& options) {
  std::string string;
  std::optional<std::uint64_t> number;
  return load_into_redis(
      client, name, foreign_parameters(filter.scheme(), {filter.num_bits(), filter.num_hashes()}),
      [&](std::uint64_t i, std::uint64_t first, std::uint64_t num_bytes) {
        if (number != i) string = filter.serialize_string(i);
        number = i;
        return string.substr(first, num_bytes);
      },
      options);
}

RedisParameters create_in_redis(RedisClient& client, const std::string& name,
                                RedisParameters parameters, const RedisLoadOptions& options) {
  return load_into_redis(
      client, name, std::move(parameters),
      [](std::uint64_t /*i*/, std::uint64_t /*first*/, std::uint64_t num_bytes) {
        return std::string(num_bytes, '\0');
      },
      options);
}

namespace {

/// Calls visit(i, first byte, bytes) for all strings of the filter, slice by slice.
void read_strings(const std::shared_ptr<RedisClient>& client, const RedisLocation& location,
                  const std::function<void(std::size_t, std::uint64_t, std::string_view)>& visit,
                  const std::function<void(std::uint64_t, std::uint64_t)>& on_progress) {
  constexpr std::uint64_t kSliceBytes = std::uint64_t{4} << 20U;
  const std::vector<std::string> keys = location.keys();
  const std::uint64_t num_bytes_all = (location.parameters.num_bits + 7) / 8;
  std::uint64_t num_bytes_done = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint64_t num_bits = location.bits_of_string(i);
    RedisBitmap string = location.has_parameters()
                             ? RedisBitmap(client, keys[i], location.fields, num_bits)
                             : RedisBitmap(client, keys[i], num_bits);
    const std::uint64_t num_bytes = (num_bits + 7) / 8;
    for (std::uint64_t first = 0; first < num_bytes; first += kSliceBytes) {
      const std::uint64_t size = std::min(kSliceBytes, num_bytes - first);
      const std::string bytes = string.bytes(first, size);
      if (location.has_parameters() && bytes.size() != size) {
        client->fail(RedisFailure::kChanged, keys[i], "has become shorter");
      }
      visit(i, first, bytes);
      num_bytes_done += size;
      if (on_progress) on_progress(num_bytes_done, num_bytes_all);
    }
  }
}

}  // namespace

void pull_from_redis(const std::shared_ptr<RedisClient>& client, const RedisLocation& location,
                     std::span<std::uint64_t> words,
                     const std::function<void(std::uint64_t, std::uint64_t)>& on_progress) {
  std::fill(words.begin(), words.end(), 0);
  const std::uint64_t bytes_per_string = location.bits_per_string() / 8;
  read_strings(
      client, location,
      [&](std::size_t i, std::uint64_t first, std::string_view bytes) {
        const std::uint64_t at = i * bytes_per_string + first;
        for (std::uint64_t b = 0; b < bytes.size(); ++b) {
          words[(at + b) / 8] |= std::uint64_t{static_cast<unsigned char>(bytes[b])}
                                 << (8 * ((at + b) % 8));
        }
      },
      on_progress);
  const std::uint64_t num_bits = location.parameters.num_bits;
  for (std::uint64_t i = num_bits; i < words.size() * 64; ++i) {
    if (((words[i / 64] >> (i % 64)) & 1U) != 0) {
      client->fail(RedisFailure::kChanged, location.name, "has bits after its last cell");
    }
  }
}

RedisBitmapFilter pull_bitmap_from_redis(const std::shared_ptr<RedisClient>& client,
                                         const RedisLocation& location) {
  const RedisParameters& parameters = location.parameters;
  std::vector<std::string> strings(location.keys().size());
  read_strings(client, location,
               [&](std::size_t i, std::uint64_t /*first*/, std::string_view bytes) {
                 strings[i].append(bytes);
               },
               {});
  const std::vector<std::string_view> views(strings.begin(), strings.end());
  return RedisBitmapFilter::parse(std::span<const std::string_view>(views), *parameters.scheme,
                                  {parameters.num_bits, parameters.num_hashes});
}

bool drop_from_redis(RedisClient& client, const std::string& name) {
  const std::optional<RedisLocation> location = find_before(client, name);
  if (!location) return false;
  if (location->is_cut()) {
    const std::string key = current_key(name);
    static_cast<void>(client.command(key, RedisCommands().add("UNLINK", key)));
  }
  for (const std::string& key : location->keys()) remove_string(client, key);
  return true;
}

}  // namespace bloometry
