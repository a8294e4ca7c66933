#include "variants/redis/redis_bitmap.hpp"

#include <algorithm>
#include <charconv>

#include "core/error.hpp"
#include "variants/redis/redis_keys.hpp"

namespace bloometry {
namespace {

/// Sets bits if the string has not been replaced since it was opened. Redis runs a script
/// atomically, so other commands cannot run between the checks and the writes of the script. The
/// script replies with the number of keys that changed a bit and the new count of updates. If the
/// string has been replaced, the script does not set bits and its reply is empty. If the list of
/// offsets is empty, the script makes a write that does not change the bits. Replicas can then
/// confirm this write.
///
/// KEYS: the bitmap, and its parameters if they exist. ARGV: bytes of the string, number of hashes,
/// number of parameters, smallest valid count of updates, name and value of each parameter,
/// offsets.
constexpr std::string_view kSetScript = R"(
local bitmap, parameters = KEYS[1], KEYS[2]
local length = redis.call('STRLEN', bitmap)
local num_hashes, num_fields = tonumber(ARGV[2]), tonumber(ARGV[3])
local first = 5
local updates = 0
if parameters then
  if length ~= tonumber(ARGV[1]) then return {} end
  if redis.call('HLEN', parameters) ~= num_fields + 1 then return {} end
  for i = first, first + 2 * num_fields - 1, 2 do
    if redis.call('HGET', parameters, ARGV[i]) ~= ARGV[i + 1] then return {} end
  end
  updates = tonumber(redis.call('HGET', parameters, 'updates'))
  if not updates or updates < tonumber(ARGV[4]) then return {} end
  first = first + 2 * num_fields
  updates = redis.call('HINCRBY', parameters, 'updates', (#ARGV - first + 1) / num_hashes)
elseif length < tonumber(ARGV[1]) then
  return {}
elseif #ARGV < first then
  redis.call('APPEND', bitmap, '')
end
local num_new = 0
for key = first, #ARGV, num_hashes do
  local is_new = 0
  for i = key, key + num_hashes - 1 do
    if redis.call('SETBIT', bitmap, ARGV[i], 1) == 0 then is_new = 1 end
  end
  num_new = num_new + is_new
end
return {num_new, updates}
)";

/// Replies with the data that identifies the string, followed by the bits. Redis runs a script
/// atomically. When the server's memory is full, Redis rejects MULTI, but still runs a script that
/// does not write.
///
/// KEYS: the bitmap, and its parameters if they exist. ARGV: offsets.
constexpr std::string_view kReadScript = R"(
local bitmap, parameters = KEYS[1], KEYS[2]
local replies = {}
if parameters then replies[1] = redis.call('HGETALL', parameters) end
replies[#replies + 1] = redis.call('STRLEN', bitmap)
for i = 1, #ARGV do
  replies[#replies + 1] = redis.call('GETBIT', bitmap, ARGV[i])
end
return replies
)";

/// Returns the number of updates, or nullopt if the field does not exist or is not a number.
std::optional<std::uint64_t> updates_in(const RedisFields& fields) {
  const auto field = fields.find(kUpdatesField);
  if (field == fields.end()) return std::nullopt;
  std::uint64_t updates = 0;
  const char* const last = field->second.data() + field->second.size();
  const auto [end, error] = std::from_chars(field->second.data(), last, updates);
  if (error != std::errc() || end != last) return std::nullopt;
  return updates;
}

bool bit_of(std::string_view bytes, std::uint64_t offset) {
  return ((static_cast<unsigned char>(bytes[offset / 8]) >> (7 - offset % 8)) & 1U) != 0;
}

}  // namespace

RedisFields fields_of(const ReplyView& reply) {
  RedisFields fields;
  for (std::size_t i = 0; i < reply.size(); i += 2) {
    fields.emplace(reply[i].text(), reply[i + 1].text());
  }
  return fields;
}

RedisFields read_fields(RedisClient& client, const std::string& key) {
  const RedisReply reply = client.command(key, RedisCommands().add("HGETALL", key));
  return fields_of(reply.view());
}

RedisBitmap::RedisBitmap(std::shared_ptr<RedisClient> client, std::string key,
                         RedisFields parameters, std::uint64_t num_bits)
    : client_(std::move(client)),
      key_(std::move(key)),
      parameters_key_(bloometry::parameters_key(key_)),
      num_bytes_((num_bits + 7) / 8),
      updates_seen_(updates_in(parameters).value_or(0)) {
  if (!parameters.contains("version")) {
    throw ConfigError("version", "is missing from the parameters of key '" + key_ + "'");
  }
  parameters.erase(kUpdatesField);
  expected_ = std::move(parameters);
}

RedisBitmap::RedisBitmap(std::shared_ptr<RedisClient> client, std::string key,
                         std::uint64_t num_bits)
    : client_(std::move(client)), key_(std::move(key)), num_bytes_((num_bits + 7) / 8) {}

void RedisBitmap::fail(RedisFailure failure, const std::string& what) const {
  client_->fail(failure, key_, what);
}

void RedisBitmap::require_num_bits(std::size_t got, std::size_t num_requested) const {
  if (got == num_requested) return;
  fail(RedisFailure::kRefused,
       "must reply with " + std::to_string(num_requested) + " bits, got " + std::to_string(got));
}

void RedisBitmap::add_proof(RedisCommands& commands) const {
  if (expected_) commands.add("HGETALL", parameters_key_);
  commands.add("STRLEN", key_);
}

std::size_t RedisBitmap::check_proof(const ReplyView& replies, std::size_t i) {
  if (expected_) check_parameters(replies[i++]);
  const auto num_bytes = static_cast<std::uint64_t>(replies[i].integer());
  const bool has_parameters = expected_.has_value();
  if (num_bytes == 0) fail(RedisFailure::kMissing, "does not exist, so keys cannot be queried");
  if (has_parameters ? num_bytes != num_bytes_ : num_bytes > num_bytes_) {
    fail(RedisFailure::kChanged, "must have " + std::string(has_parameters ? "" : "at most ") +
                                     std::to_string(num_bytes_) + " bytes, got " +
                                     std::to_string(num_bytes));
  }
  if (num_bytes < num_bytes_seen_) {
    fail(RedisFailure::kChanged, "has become shorter, from " + std::to_string(num_bytes_seen_) +
                                     " bytes to " + std::to_string(num_bytes));
  }
  if (!has_parameters) num_bytes_seen_ = num_bytes;
  return has_parameters ? 2 : 1;
}

void RedisBitmap::check_parameters(const ReplyView& reply) {
  RedisFields fields = fields_of(reply);
  if (fields.empty()) {
    fail(RedisFailure::kMissing, "no longer has parameters at '" + parameters_key_ +
                                     "': evicted, expired, deleted or lost with the server");
  }
  const std::optional<std::uint64_t> updates = updates_in(fields);
  const std::string updates_text =
      fields.contains(kUpdatesField) ? "'" + fields.at(kUpdatesField) + "'" : "none";
  fields.erase(kUpdatesField);
  if (fields != *expected_) {
    const auto version = fields.find("version");
    const bool is_other_version =
        version == fields.end() || version->second != expected_->at("version");
    fail(RedisFailure::kChanged,
         is_other_version ? "contains another version of the filter than the one that was opened"
                          : "has other parameters than when it was opened");
  }
  if (!updates) {
    fail(RedisFailure::kChanged,
         "does not state how many members were added: the field updates at '" + parameters_key_ +
             "' must be a whole number, got " + updates_text);
  }
  if (*updates < updates_seen_) {
    fail(RedisFailure::kChanged, "has lost members: " + std::to_string(updates_seen_) +
                                     " were added, but the server has " + std::to_string(*updates) +
                                     " (an old snapshot, or a failover)");
  }
  updates_seen_ = *updates;
}

RedisReply RedisBitmap::read_between_proofs(const RedisCommands& commands) {
  RedisCommands all;
  add_proof(all);
  const std::size_t num_before = all.size();
  all.append(commands);
  add_proof(all);
  RedisReply reply = client_->transaction(key_, all);
  check_proof(reply.view(), 0);
  check_proof(reply.view(), num_before + commands.size());
  return reply;
}

std::vector<bool> RedisBitmap::read_by_script(std::span<const std::uint64_t> offsets) {
  const std::size_t num_keys = expected_ ? 2 : 1;
  RedisCommands command;
  command.begin(3 + num_keys + offsets.size()).argument("EVAL").argument(kReadScript);
  command.argument(num_keys).argument(key_);
  if (expected_) command.argument(parameters_key_);
  for (const std::uint64_t offset : offsets) command.argument(offset);

  const RedisReply reply = client_->command(key_, command);
  const std::size_t first_bit = check_proof(reply.view(), 0);
  require_num_bits(reply.view().size() - first_bit, offsets.size());
  std::vector<bool> bits(offsets.size());
  for (std::size_t i = 0; i < bits.size(); ++i) {
    bits[i] = reply.view()[first_bit + i].integer() != 0;
  }
  return bits;
}

std::vector<bool> RedisBitmap::read(std::span<const std::uint64_t> offsets, unsigned num_hashes,
                                    std::uint64_t block_bits, ReadMethod method) {
  try {
    return read_in_transaction(offsets, num_hashes, block_bits, method);
  } catch (const RedisError& error) {
    if (error.code() != "OOM") throw;
    return read_by_script(offsets);
  }
}

std::vector<bool> RedisBitmap::read_in_transaction(std::span<const std::uint64_t> offsets,
                                                   unsigned num_hashes, std::uint64_t block_bits,
                                                   ReadMethod method) {
  const std::size_t num_keys = offsets.size() / num_hashes;
  if (method == ReadMethod::kBest) {
    method = block_bits > 1 ? ReadMethod::kGetRange : ReadMethod::kBitField;
  }
  RedisCommands commands;
  if (method == ReadMethod::kGetRange) {
    for (std::size_t key = 0; key < num_keys; ++key) {
      const std::uint64_t first = offsets[key * num_hashes] / block_bits * block_bits / 8;
      commands.add("GETRANGE", key_, first, first + block_bits / 8 - 1);
    }
  } else if (method == ReadMethod::kBitField) {
    commands.begin(2 + 3 * offsets.size()).argument("BITFIELD_RO").argument(key_);
    for (const std::uint64_t offset : offsets) {
      commands.argument("GET").argument("u1").argument(offset);
    }
  } else {
    for (const std::uint64_t offset : offsets) commands.add("GETBIT", key_, offset);
  }

  const RedisReply reply = read_between_proofs(commands);
  const std::size_t first_reply = expected_ ? 2 : 1;
  std::vector<bool> bits(offsets.size());
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (method == ReadMethod::kGetRange) {
      const std::string_view block = reply.view()[first_reply + i / num_hashes].text();
      const std::uint64_t offset = offsets[i] % block_bits;
      // The length of the string has been checked, so a reply that is too short is an error.
      if (block.size() <= offset / 8) {
        fail(RedisFailure::kRefused, "must reply with " + std::to_string(block_bits / 8) +
                                         " bytes of a block, got " + std::to_string(block.size()));
      }
      bits[i] = bit_of(block, offset);
    } else if (method == ReadMethod::kBitField) {
      const ReplyView values = reply.view()[first_reply];
      require_num_bits(values.size(), offsets.size());
      bits[i] = values[i].integer() != 0;
    } else {
      bits[i] = reply.view()[first_reply + i].integer() != 0;
    }
  }
  return bits;
}

RedisCommands RedisBitmap::set_command(std::span<const std::uint64_t> offsets,
                                       unsigned num_hashes) const {
  const std::size_t num_keys = expected_ ? 2 : 1;
  const std::size_t num_fields = expected_ ? expected_->size() : 0;
  RedisCommands command;
  command.begin(3 + num_keys + 4 + 2 * num_fields + offsets.size());
  command.argument("EVAL").argument(kSetScript).argument(num_keys).argument(key_);
  if (expected_) command.argument(parameters_key_);
  command.argument(expected_ ? num_bytes_ : num_bytes_seen_);
  command.argument(num_hashes).argument(num_fields).argument(updates_seen_);
  if (expected_) {
    for (const auto& [name, value] : *expected_) command.argument(name).argument(value);
  }
  for (const std::uint64_t offset : offsets) command.argument(offset);
  return command;
}

AddedKeys RedisBitmap::set(std::span<const std::uint64_t> offsets, unsigned num_hashes) {
  const RedisReply reply = client_->command(key_, set_command(offsets, num_hashes));
  return take_set_reply(reply.view());
}

AddedKeys RedisBitmap::take_set_reply(const ReplyView& reply) {
  if (reply.size() == 2) {
    updates_seen_ = std::max(updates_seen_, static_cast<std::uint64_t>(reply[1].integer()));
    return {.num_new = static_cast<std::uint64_t>(reply[0].integer())};
  }
  require_same();  // throws an error with the specific cause
  fail(RedisFailure::kChanged, "was temporarily replaced by another filter");
}

void RedisBitmap::wait_for_replicas(unsigned num_replicas, std::chrono::milliseconds timeout) {
  // WAIT counts the replicas that have received the writes of the same connection. The insert may
  // have used another connection, even to another server. WAIT therefore follows a separate write,
  // which is made only if the Redis keys exist. A replica that has received this write has also
  // received all earlier writes.
  RedisCommands commands = set_command({}, 1);
  commands.add("WAIT", num_replicas, timeout.count());
  const std::vector<RedisReply> replies = client_->run(key_, commands);
  for (const RedisReply& reply : replies) {
    if (reply.view().is_error()) {
      fail(RedisFailure::kRefused,
           "cannot wait for replicas: " + std::string(reply.view().error()));
    }
  }
  static_cast<void>(take_set_reply(replies[0].view()));
  const auto num_confirmed = replies[1].view().integer();
  if (num_confirmed >= static_cast<std::int64_t>(num_replicas)) return;
  throw RedisError(RedisFailure::kUnreachable,
                   client_->name() + ": the change of key '" + key_ + "' reached " +
                       std::to_string(num_confirmed) + " of " + std::to_string(num_replicas) +
                       " replicas in " + std::to_string(timeout.count()) + " ms");
}

void RedisBitmap::require_same() {
  static_cast<void>(read({}, 1, 1, ReadMethod::kGetBit));
}

std::string RedisBitmap::bytes(std::uint64_t first, std::uint64_t num_bytes) {
  RedisCommands commands;
  commands.add("GETRANGE", key_, first, first + num_bytes - 1);
  const RedisReply reply = read_between_proofs(commands);
  return std::string(reply.view()[expected_ ? 2 : 1].text());
}

}  // namespace bloometry
