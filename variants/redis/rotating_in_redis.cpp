#include "variants/redis/rotating_in_redis.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "variants/redis/redis_bitmap.hpp"
#include "variants/redis/redis_keys.hpp"
#include "variants/redis/rotating_scripts.hpp"

namespace bloometry {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

void require_rotating(const std::string& name, const RedisFields& fields) {
  if (is_rotating(fields)) return;
  throw ConfigError(
      "key", "must name a rotating filter, got '" + name + "', a filter that does not rotate");
}

RotatingLocation located(const RedisClient& client, const std::string& name,
                         const RedisFields& fields) {
  require_rotating(name, fields);
  try {
    RotatingLocation location{.name = name,
                              .parameters = parse_rotating_parameters(fields),
                              .fields = without_state(fields)};
    location.state = parse_rotating_state(fields, location.parameters);
    return location;
  } catch (const ConfigError& error) {
    client.fail(RedisFailure::kChanged, name,
                std::string("contains damaged parameters: ") + error.what());
  }
}

milliseconds signed_difference(std::uint64_t later, std::uint64_t earlier) {
  return milliseconds(static_cast<std::int64_t>(later) - static_cast<std::int64_t>(earlier));
}

}  // namespace

RotatingParameters create_rotating_in_redis(RedisClient& client, const std::string& name,
                                            RotatingParameters parameters) {
  parameters.generation.version = random_version();
  const RedisFields fields = parameters.fields();
  const std::string key = parameters_key(name);
  RedisCommands command;
  command.begin(3 + 2 + 1 + 2 * fields.size());
  command.argument("EVAL").argument(rotating_scripts::create_script()).argument(2);
  command.argument(key).argument(name).argument(parameters.generation.version);
  for (const auto& [field, value] : fields) command.argument(field).argument(value);
  if (client.command(key, command).view().integer() == 1) return parameters;
  client.fail(RedisFailure::kChanged, name, "already exists");
}

RotatingLocation find_rotating_in_redis(RedisClient& client, const std::string& name) {
  const RedisFields fields = read_fields(client, parameters_key(name));
  if (fields.empty()) {
    client.fail(RedisFailure::kMissing, name, "does not exist, or is not a rotating filter");
  }
  return located(client, name, fields);
}

bool is_rotating_in_redis(RedisClient& client, const std::string& name) {
  return is_rotating(read_fields(client, parameters_key(name)));
}

bool drop_rotating_from_redis(RedisClient& client, const std::string& name) {
  const RedisFields fields = read_fields(client, parameters_key(name));
  if (fields.empty()) return false;
  require_rotating(name, fields);
  // The other parameters may be damaged, so the number of generations is unknown.
  const std::vector<std::string> keys = rotating_keys(name, kMaxGenerations);
  RedisCommands command;
  command.begin(1 + keys.size()).argument("UNLINK");
  for (const std::string& key : keys) command.argument(key);
  static_cast<void>(client.command(keys.front(), command));
  return true;
}

RotatingInRedis::RotatingInRedis(std::shared_ptr<RedisClient> client, RotatingLocation location,
                                 const HashCall& hash, Options options)
    : client_(std::move(client)),
      location_(std::move(location)),
      hash_(hash),
      options_(options),
      offsets_(location_.parameters.generation, hash),
      keys_(rotating_keys(location_.name, location_.parameters.generations)),
      id_(random_version()),
      updates_seen_(location_.state.num_updates),
      newest_seen_(location_.state.newest()) {
  if (options_.batch_keys == 0) throw ConfigError("batch_keys", "must be above 0, got 0");
}

void RotatingInRedis::fail(RedisFailure failure, const std::string& what) const {
  client_->fail(failure, location_.name, what);
}

template <class RunBatch>
std::vector<Presence> RotatingInRedis::in_batches(std::span<const KeyView> keys,
                                                  RunBatch run_batch) {
  std::vector<Presence> answers;
  answers.reserve(keys.size());
  while (!keys.empty()) {
    const auto batch = keys.first(std::min(options_.batch_keys, keys.size()));
    run_batch(batch, answers);
    keys = keys.subspan(batch.size());
  }
  return answers;
}

std::vector<Presence> RotatingInRedis::query(std::span<const KeyView> keys) {
  return in_batches(keys, [&](auto batch, auto& answers) { query_batch(batch, answers); });
}

RedisAnswer RotatingInRedis::lookup(KeyView key) {
  try {
    return RedisAnswer(query({&key, 1}).front());
  } catch (const RedisError& error) {
    return RedisAnswer(error);
  }
}

std::vector<Presence> RotatingInRedis::query_and_insert(std::span<const KeyView> keys) {
  return in_batches(keys, [&](auto batch, auto& answers) { insert_batch(batch, answers); });
}

RedisAnswer RotatingInRedis::lookup_and_insert(KeyView key) {
  try {
    return RedisAnswer(query_and_insert({&key, 1}).front());
  } catch (const RedisError& error) {
    return RedisAnswer(error);
  }
}

RedisCommands RotatingInRedis::command(const std::string& script, std::span<const std::string> keys,
                                       std::span<const std::string> arguments,
                                       std::span<const KeyView> members) const {
  const RotatingParameters& parameters = location_.parameters;
  std::vector<std::uint64_t> offsets(members.size() * offsets_.num_hashes());
  offsets_.write(members, offsets);
  RedisCommands command;
  command.begin(3 + keys.size() + 4 + arguments.size() + offsets.size());
  command.argument("EVAL").argument(script).argument(keys.size());
  for (const std::string& key : keys) command.argument(key);
  command.argument(parameters.generations).argument(parameters.generation_time().count());
  command.argument(parameters.num_bytes()).argument(offsets_.num_hashes());
  for (const std::string& argument : arguments) command.argument(argument);
  for (const std::uint64_t offset : offsets) command.argument(offset);
  return command;
}

RedisCommands RotatingInRedis::insert_command(std::span<const KeyView> keys,
                                              std::uint64_t call) const {
  const RedisFields& fields = location_.fields;
  std::vector<std::string> arguments = {id_,
                                        std::to_string(call),
                                        std::to_string(rotating_scripts::kReplyTime.count()),
                                        std::to_string(updates_seen_),
                                        std::to_string(newest_seen_),
                                        std::to_string(fields.size())};
  for (const auto& [name, value] : fields) {
    arguments.push_back(name);
    arguments.push_back(value);
  }
  return command(rotating_scripts::insert_script(), keys_, arguments, keys);
}

/// A reply to a script that reads, with the live generations in it, newest first.
struct RotatingInRedis::Checked {
  RedisReply reply;
  std::uint64_t time_ms = 0;
  std::vector<RedisGeneration> live{};

  /// Returns the last element: the answers, or the numbers of set bits.
  [[nodiscard]] ReplyView result() const { return reply.view()[4]; }
};

RotatingInRedis::Checked RotatingInRedis::read(const std::string& script,
                                               std::span<const KeyView> keys) {
  const auto keys_without_replies = std::span(keys_).first(keys_.size() - 2);
  Checked checked{client_->command(keys_.front(), command(script, keys_without_replies, {}, keys))};
  const ReplyView reply = checked.reply.view();
  const RotatingState state = checked_state(fields_of(reply[1]), reply[2].integer() == 1);
  checked.time_ms = static_cast<std::uint64_t>(reply[0].integer());
  checked.live = state.live_at(checked.time_ms, location_.parameters);
  check_strings(checked.live, reply[3]);
  take_counts(state.num_updates, state.newest());
  return checked;
}

RotatingState RotatingInRedis::checked_state(const RedisFields& fields, bool is_intact) const {
  if (fields.empty()) {
    fail(RedisFailure::kMissing, "no longer has parameters at '" + keys_.front() +
                                     "': evicted, deleted or lost with the server");
  }
  const RedisFields fixed = without_state(fields);
  if (fixed != location_.fields) {
    const auto version = fixed.find("version");
    const bool is_other_version =
        version == fixed.end() || version->second != location_.parameters.generation.version;
    fail(RedisFailure::kChanged,
         is_other_version ? "contains another version of the filter than the one that was opened"
                          : "has other parameters than when it was opened");
  }
  if (!is_intact) {
    fail(RedisFailure::kChanged,
         "has an edited list of generations: state_checksum at '" + keys_.front() +
             "' differs from the checksum of the fields updates and created");
  }
  try {
    return parse_rotating_state(fields, location_.parameters);
  } catch (const ConfigError& error) {
    fail(RedisFailure::kChanged, std::string("contains damaged parameters: ") + error.what());
  }
}

/// Checks that every live generation has a string of the right length.
void RotatingInRedis::check_strings(const std::vector<RedisGeneration>& live,
                                    const ReplyView& lengths) const {
  const RotatingParameters& parameters = location_.parameters;
  if (lengths.size() != live.size()) {
    fail(RedisFailure::kRefused, "must reply with the lengths of " + std::to_string(live.size()) +
                                     " strings, got " + std::to_string(lengths.size()));
  }
  for (std::size_t i = 0; i < live.size(); ++i) {
    const auto num_bytes = static_cast<std::uint64_t>(lengths[i].integer());
    if (num_bytes == parameters.num_bytes()) continue;
    const std::string& key = keys_[1 + parameters.slot_of(live[i].number)];
    if (num_bytes == 0) {
      fail(RedisFailure::kMissing,
           "has lost generation " + std::to_string(live[i].number) + " at '" + key +
               "': evicted, deleted or expired early; `bloometry redis drop --key " +
               location_.name + "` and then `bloometry redis create --key " + location_.name +
               " ...` replace the filter by an empty one");
    }
    fail(RedisFailure::kChanged, "must have " + std::to_string(parameters.num_bytes()) +
                                     " bytes at '" + key + "', got " + std::to_string(num_bytes));
  }
}

/// Takes the counts of a reply. They never decrease, unless the server has lost inserts.
void RotatingInRedis::take_counts(std::uint64_t num_updates, std::uint64_t newest) {
  if (num_updates < updates_seen_ || newest < newest_seen_) {
    fail(RedisFailure::kChanged,
         "has lost members: " + std::to_string(updates_seen_) + " were added, but the server has " +
             std::to_string(num_updates) + " (an old snapshot, or a failover)");
  }
  updates_seen_ = num_updates;
  newest_seen_ = newest;
}

void RotatingInRedis::add_answers(const ReplyView& reply, std::size_t num_keys,
                                  std::vector<Presence>& answers) const {
  const std::string_view text = reply.text();
  if (text.size() != num_keys || text.find_first_not_of("01") != std::string_view::npos) {
    fail(RedisFailure::kRefused, "must reply with " + std::to_string(num_keys) +
                                     " answers of 0 or 1, got " + std::to_string(text.size()) +
                                     " bytes");
  }
  for (const char answer : text) {
    answers.push_back(answer == '1' ? Presence::kPresent : Presence::kAbsent);
  }
}

void RotatingInRedis::query_batch(std::span<const KeyView> keys, std::vector<Presence>& answers) {
  const Checked checked = read(rotating_scripts::query_script(), keys);
  add_answers(checked.result(), keys.size(), answers);
}

void RotatingInRedis::insert_batch(std::span<const KeyView> keys, std::vector<Presence>& answers) {
  const auto begin = steady_clock::now();
  const RedisReply reply = client_->command(keys_.front(), insert_command(keys, ++num_calls_));
  // A server that no longer had the reply to the first attempt would have inserted the keys again.
  if (steady_clock::now() - begin >= rotating_scripts::kReplyTime) {
    fail(RedisFailure::kUnreachable, "was not reached in time: the attempts took longer than " +
                                         std::to_string(rotating_scripts::kReplyTime.count()) +
                                         " ms");
  }
  take_insert_reply(reply.view(), keys.size(), answers);
}

void RotatingInRedis::take_insert_reply(const ReplyView& reply, std::size_t num_keys,
                                        std::vector<Presence>& answers) {
  if (reply.size() == 0) {
    static_cast<void>(read(rotating_scripts::query_script(), {}));  // throws the specific cause
    fail(RedisFailure::kChanged, "was temporarily replaced by another filter");
  }
  take_counts(static_cast<std::uint64_t>(reply[0].integer()),
              static_cast<std::uint64_t>(reply[1].integer()));
  add_answers(reply[2], num_keys, answers);
}

void RotatingInRedis::wait_for_replicas(unsigned num_replicas, milliseconds timeout) {
  // The insert may have used another connection, so that WAIT must follow a separate write
  // (RedisBitmap::wait_for_replicas).
  RedisCommands commands = insert_command({}, 0);
  commands.add("WAIT", num_replicas, timeout.count());
  const std::vector<RedisReply> replies = client_->run(keys_.front(), commands);
  for (const RedisReply& reply : replies) {
    if (reply.view().is_error()) {
      fail(RedisFailure::kRefused,
           "cannot wait for replicas: " + std::string(reply.view().error()));
    }
  }
  std::vector<Presence> none;
  take_insert_reply(replies[0].view(), 0, none);
  const auto num_confirmed = replies[1].view().integer();
  if (num_confirmed >= static_cast<std::int64_t>(num_replicas)) return;
  fail(RedisFailure::kUnreachable, "was changed on " + std::to_string(num_confirmed) + " of " +
                                       std::to_string(num_replicas) + " replicas in " +
                                       std::to_string(timeout.count()) + " ms");
}

void RotatingInRedis::reopen() {
  RotatingLocation now = find_rotating_in_redis(*client_, location_.name);
  const RedisParameters& before = location_.parameters.generation;
  const RedisParameters& after = now.parameters.generation;
  if (after.hash != before.hash || after.seed != before.seed || after.key_id != before.key_id) {
    throw ConfigError("hash",
                      "must be the hash of the opened filter, but the filter was replaced by one "
                      "with another hash: open it again");
  }
  offsets_ = BitOffsets(after, hash_);
  keys_ = rotating_keys(now.name, now.parameters.generations);
  updates_seen_ = now.state.num_updates;
  newest_seen_ = now.state.newest();
  location_ = std::move(now);
}

std::vector<LiveGeneration> RotatingInRedis::live_generations() {
  const Checked checked = read(rotating_scripts::count_script(), {});
  const RotatingParameters& parameters = location_.parameters;
  const auto generation_ms = static_cast<std::uint64_t>(parameters.generation_time().count());
  std::vector<LiveGeneration> generations;
  for (std::size_t i = 0; i < checked.live.size(); ++i) {
    const std::uint64_t number = checked.live[i].number;
    generations.push_back(
        {.generation = checked.live[i],
         .num_ones = static_cast<std::uint64_t>(checked.result()[i].integer()),
         .age = signed_difference(checked.time_ms, number * generation_ms),
         .expires = signed_difference(parameters.expiry_ms(number), checked.time_ms)});
  }
  return generations;
}

}  // namespace bloometry
