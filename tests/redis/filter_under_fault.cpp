#include "tests/redis/filter_under_fault.hpp"

#include <algorithm>
#include <numeric>

#include "core/any_filter/filter_file.hpp"

namespace bloometry::test {

std::uint64_t FaultTally::all_errors() const {
  return std::accumulate(num_errors.begin(), num_errors.end(), std::uint64_t{0});
}

FaultTally& FaultTally::operator+=(const FaultTally& other) {
  num_queries += other.num_queries;
  num_answered += other.num_answered;
  num_wrong_absent += other.num_wrong_absent;
  for (std::size_t i = 0; i < num_errors.size(); ++i) num_errors[i] += other.num_errors[i];
  return *this;
}

std::vector<std::string> keys_named(const std::string& prefix, std::size_t num_keys) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < num_keys; ++i) keys.push_back(prefix + std::to_string(i));
  return keys;
}

FilterUnderFault::FilterUnderFault(std::size_t num_more_keys)
    : members_(keys_named("member-", 1000)),
      filter_({.num_bits = 20'000 + num_more_keys, .num_hashes = 5}, 7) {
  for (const std::string& key : members_) filter_.insert(key);
  for (const std::string& key : keys_named("more-", num_more_keys)) filter_.insert(key);
}

FilterImage FilterUnderFault::image() const {
  FilterImage image = image_of(filter_.filter());
  file_detail::describe_hasher(filter_.hasher(), image.header);
  return image;
}

void FilterUnderFault::load(RedisClient& client, const RedisLoadOptions& options) const {
  load_into_redis(client, kName, image(), options);
}

RedisFilter FilterUnderFault::open(const std::shared_ptr<RedisClient>& client) {
  return RedisFilter(client, find_in_redis(*client, kName), Xxh3Hasher(7));
}

RedisFilter FilterUnderFault::open_unseen(const std::shared_ptr<RedisClient>& client) const {
  RedisLocation location{.name = kName, .parameters = native_parameters(image().header)};
  location.parameters.version = "v";
  location.fields = location.parameters.fields();
  location.fields[kUpdatesField] = "0";
  return RedisFilter(client, location, Xxh3Hasher(7));
}

QueriesUnderFault::QueriesUnderFault(const std::vector<std::string>& members)
    : members_(members), others_(keys_named("other-", 1000)) {}

std::optional<RedisFailure> QueriesUnderFault::query(const QueriedFilter& filter,
                                                     const std::vector<KeyView>& keys,
                                                     std::size_t num_members) {
  tally_.num_queries += keys.size();
  try {
    const std::vector<Presence> answers = filter.query(keys);
    tally_.num_answered += answers.size();
    tally_.num_wrong_absent += static_cast<std::uint64_t>(
        std::count(answers.begin(), answers.begin() + static_cast<std::ptrdiff_t>(num_members),
                   Presence::kAbsent));
    return std::nullopt;
  } catch (const RedisError& error) {
    tally_.num_errors[static_cast<std::size_t>(error.failure())] += keys.size();
    return error.failure();
  }
}

std::optional<RedisFailure> QueriesUnderFault::query_one(const QueriedFilter& filter,
                                                         KeyView member) {
  const RedisAnswer answer = filter.lookup(member);
  ++tally_.num_queries;
  if (answer.is_absent()) ++tally_.num_wrong_absent;
  if (answer.error() == nullptr) {
    ++tally_.num_answered;
    return std::nullopt;
  }
  const RedisFailure failure = answer.error()->failure();
  ++tally_.num_errors[static_cast<std::size_t>(failure)];
  return failure;
}

std::optional<RedisFailure> QueriesUnderFault::query_batch(const QueriedFilter& filter) {
  constexpr std::size_t kMembers = 90;
  constexpr std::size_t kOthers = 10;
  std::vector<KeyView> keys;
  for (std::size_t i = 0; i < kMembers; ++i) keys.emplace_back(members_[next_++ % members_.size()]);
  for (std::size_t i = 0; i < kOthers; ++i) keys.emplace_back(others_[next_++ % others_.size()]);
  const auto failure = query(filter, keys, kMembers);
  query_one(filter, keys.front());
  return failure;
}

std::optional<RedisFailure> QueriesUnderFault::query_next_members(const QueriedFilter& filter,
                                                                  std::size_t num_members) {
  std::vector<KeyView> keys;
  for (std::size_t i = 0; i < num_members; ++i) {
    keys.emplace_back(members_[next_++ % members_.size()]);
  }
  return query(filter, keys, num_members);
}

std::optional<RedisFailure> QueriesUnderFault::query_next_member(const QueriedFilter& filter) {
  return query_one(filter, members_[next_++ % members_.size()]);
}

std::optional<RedisFailure> QueriesUnderFault::query_members(const QueriedFilter& filter,
                                                             const std::vector<std::string>& keys) {
  return query(filter, {keys.begin(), keys.end()}, keys.size());
}

std::vector<std::string> all_keys(RedisClient& client) {
  const RedisReply reply = client.command("", RedisCommands().add("KEYS", "*"));
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < reply.view().size(); ++i) keys.emplace_back(reply.view()[i].text());
  std::sort(keys.begin(), keys.end());
  return keys;
}

}  // namespace bloometry::test
