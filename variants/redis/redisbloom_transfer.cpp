#include "variants/redis/redisbloom_transfer.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "variants/redis/redis_keys.hpp"
#include "variants/redis/redis_parameters.hpp"

namespace bloometry {
namespace {

/// The reply of TYPE for a filter of the module RedisBloom.
constexpr std::string_view kType = "MBbloom--";

/// Maximum number of attempts to read a filter that changes during the read.
constexpr int kMaxReadings = 3;

/// The iterator of the header in BF.LOADCHUNK.
constexpr std::int64_t kHeaderIterator = 1;

bool has_command(RedisClient& client, const char* name) {
  const RedisReply reply = client.command("", RedisCommands().add("COMMAND", "INFO", name));
  return reply.view().size() == 1 && reply.view()[0].is_array() && reply.view()[0].size() > 0;
}

/// Returns the first field of INFO that identifies a server with other dumps, or an empty string.
std::string_view foreign_field_in(std::string_view info) {
  constexpr std::array<std::string_view, 4> kFields = {
      "dragonfly_version:", "valkey_version:", "server_name:valkey", "server_name:dragonfly"};
  for (const std::string_view field : kFields) {
    const std::size_t at = info.find(field);
    if (at != std::string_view::npos) return info.substr(at, info.find_first_of("\r\n", at) - at);
  }
  return {};
}

void require_replaceable(RedisClient& client, const std::string& key, bool replaces_anything) {
  const std::string type = type_of(client, key);
  if (type == "none" || type == kType || replaces_anything) return;
  throw ConfigError("key", "must be a new key or contain a filter of RedisBloom, got '" + key +
                               "', which contains a " + type);
}

/// Returns a chunk from a reply to BF.SCANDUMP.
RedisBloomChunk chunk_of(const ReplyView& reply) {
  return {.iterator = reply[0].integer(), .data = std::string(reply[1].text())};
}

/// The header of a dump and the chunk after an iterator, read in one step.
struct Reading {
  std::string header;
  RedisBloomChunk chunk;
};

Reading read_chunk(RedisClient& client, const std::string& key, std::int64_t iterator) {
  RedisCommands commands;
  commands.add("BF.SCANDUMP", key, 0).add("BF.SCANDUMP", key, iterator);
  const RedisReply replies = client.transaction(key, commands);
  return {chunk_of(replies.view()[0]).data, chunk_of(replies.view()[1])};
}

/// Returns the total size of the bit arrays of all links in bytes.
std::uint64_t num_data_bytes(const RedisBloomFilter& filter) {
  std::uint64_t num_bytes = 0;
  for (const RedisBloomLink& link : filter.links()) num_bytes += link.shape().num_bytes();
  return num_bytes;
}

/// Returns whether the key holds a filter equal to the given filter.
/// @param on_bytes function that is called with the number of bytes that were compared
bool holds(RedisClient& client, const std::string& key, const RedisBloomFilter& filter,
           const std::function<void(std::uint64_t)>& on_bytes) {
  if (type_of(client, key) != kType) return false;
  const std::string header = filter.scan_dump(0).data;
  for (std::int64_t iterator = kHeaderIterator;;) {
    const Reading there = read_chunk(client, key, iterator);
    const std::uint64_t size = std::max<std::uint64_t>(there.chunk.data.size(), 1);
    const RedisBloomChunk here = filter.scan_dump(iterator, size);
    if (there.header != header || there.chunk.iterator != here.iterator ||
        there.chunk.data != here.data) {
      return false;
    }
    if (here.iterator == 0) return true;
    iterator = here.iterator;
    on_bytes(static_cast<std::uint64_t>(iterator - kHeaderIterator));
  }
}

/// Loads one filter. The destructor removes the loaded keys if the load is not finished.
class DumpLoader {
 public:
  DumpLoader(RedisClient& client, const std::string& key, const RedisBloomFilter& filter,
             const RedisBloomLoadOptions& options)
      : client_(client),
        key_(key),
        loading_(loading_key(key, random_version())),
        filter_(filter),
        options_(options),
        num_bytes_(num_data_bytes(filter)) {}

  DumpLoader(const DumpLoader&) = delete;
  DumpLoader& operator=(const DumpLoader&) = delete;

  ~DumpLoader() {
    if (is_finished_) return;
    try {
      static_cast<void>(client_.run(loading_, RedisCommands().add("UNLINK", loading_)));
    } catch (const RedisError&) {
      // If the server is not reachable, the loaded key expires.
    }
  }

  void send() {
    RedisCommands begin;
    begin.add("DEL", loading_);
    begin.add("BF.LOADCHUNK", loading_, kHeaderIterator, filter_.scan_dump(0).data);
    begin.add("PEXPIRE", loading_, kLoadingTtl.count());
    static_cast<void>(client_.transaction(loading_, begin));
    for (std::int64_t iterator = kHeaderIterator;;) {
      const RedisBloomChunk chunk = filter_.scan_dump(iterator, options_.chunk_bytes);
      if (chunk.iterator == 0) return;
      client_.command(loading_,
                      RedisCommands().add("BF.LOADCHUNK", loading_, chunk.iterator, chunk.data));
      iterator = chunk.iterator;
      show(static_cast<std::uint64_t>(iterator - kHeaderIterator));
    }
  }

  /// Checks that the server has all chunks of the filter. A failover between two chunks can lose a
  /// confirmed chunk. Only this check detects such a loss.
  void require_all() {
    const bool is_whole = holds(client_, loading_, filter_,
                                [this](std::uint64_t num_read) { show(num_bytes_ + num_read); });
    if (is_whole) return;
    client_.fail(RedisFailure::kChanged, key_,
                 "was not replaced: the loaded data differs when it is read back");
  }

  void finish() {
    RedisCommands commands;
    if (options_.ttl) {
      commands.add("PEXPIRE", loading_, options_.ttl->count());
    } else {
      commands.add("PERSIST", loading_);
    }
    commands.add("RENAME", loading_, key_).add("UNLINK", parameters_key(key_));
    try {
      static_cast<void>(client_.transaction(loading_, commands));
    } catch (const RedisError& error) {
      // If only the reply of an attempt was lost, the next attempt does not find the key to rename.
      const bool may_be_done = error.failure() == RedisFailure::kRefused;
      if (!may_be_done || !holds(client_, key_, filter_, [](std::uint64_t) {})) throw;
    }
    is_finished_ = true;
  }

 private:
  void show(std::uint64_t num_done) const {
    if (options_.on_progress) options_.on_progress(num_done, 2 * num_bytes_);
  }

  RedisClient& client_;
  const std::string& key_;
  std::string loading_;
  const RedisBloomFilter& filter_;
  const RedisBloomLoadOptions& options_;
  std::uint64_t num_bytes_;
  bool is_finished_ = false;
};

/// Returns all chunks, or an empty list if the filter changed during the read.
std::vector<RedisBloomChunk> read_chunks(
    RedisClient& client, const std::string& key,
    const std::function<void(std::uint64_t, std::uint64_t)>& on_progress) {
  std::vector<RedisBloomChunk> chunks;
  chunks.push_back({.iterator = kHeaderIterator, .data = read_chunk(client, key, 0).header});
  std::uint64_t num_bytes = 0;
  for (const auto& link : RedisBloomHeader::parse(chunks.front().data).links) {
    num_bytes += link.shape.num_bytes();
  }
  for (;;) {
    const std::int64_t last = chunks.back().iterator;
    Reading reading = read_chunk(client, key, last);
    if (reading.header != chunks.front().data) return {};
    if (reading.chunk.iterator == 0) return chunks;
    if (reading.chunk.iterator <= last) {
      client.fail(RedisFailure::kRefused, key, "was dumped with iterators that do not increase");
    }
    chunks.push_back(std::move(reading.chunk));
    if (on_progress) {
      on_progress(static_cast<std::uint64_t>(chunks.back().iterator - kHeaderIterator), num_bytes);
    }
  }
}

}  // namespace

void require_redisbloom(RedisClient& client) {
  const std::string server = client.name();
  if (!has_command(client, "BF.LOADCHUNK") || !has_command(client, "BF.SCANDUMP")) {
    throw RedisError(
        RedisFailure::kRefused,
        server +
            " does not support BF.LOADCHUNK and BF.SCANDUMP; load the module RedisBloom with "
            "--loadmodule, or use Redis 8");
  }
  const RedisReply reply = client.command("", RedisCommands().add("INFO", "server"));
  const std::string_view foreign = foreign_field_in(reply.view().text());
  if (foreign.empty()) return;
  throw RedisError(RedisFailure::kRefused, server + " must be Redis with RedisBloom, got " +
                                               std::string(foreign) +
                                               ", whose BF commands use another dump format");
}

void load_redisbloom(RedisClient& client, const std::string& key, const RedisBloomFilter& filter,
                     const RedisBloomLoadOptions& options) {
  if (options.ttl && options.ttl->count() <= 0) {
    throw ConfigError("ttl",
                      "must be above 0, got " + std::to_string(options.ttl->count()) + " ms");
  }
  if (options.chunk_bytes == 0) throw ConfigError("chunk_bytes", "must be above 0, got 0");
  DumpLoader loader(client, key, filter, options);
  require_redisbloom(client);
  require_replaceable(client, key, options.replaces_anything);
  loader.send();
  loader.require_all();
  loader.finish();
}

RedisBloomFilter pull_redisbloom(
    RedisClient& client, const std::string& key,
    const std::function<void(std::uint64_t, std::uint64_t)>& on_progress) {
  require_redisbloom(client);
  const std::string type = type_of(client, key);
  if (type == "none") client.fail(RedisFailure::kMissing, key, "does not exist");
  if (type != kType) {
    client.fail(RedisFailure::kRefused, key, "contains a " + type + ", not a filter of RedisBloom");
  }
  try {
    for (int i = 0; i < kMaxReadings; ++i) {
      const std::vector<RedisBloomChunk> chunks = read_chunks(client, key, on_progress);
      if (!chunks.empty()) return RedisBloomFilter::load(chunks);
    }
  } catch (const ConfigError& error) {
    client.fail(RedisFailure::kRefused, key, std::string("has an invalid dump: ") + error.what());
  }
  client.fail(RedisFailure::kChanged, key,
              "changed during each of " + std::to_string(kMaxReadings) + " reads");
}

}  // namespace bloometry
