#pragma once

#include <array>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/any_filter/keyed.hpp"
#include "core/redis/redis_client.hpp"
#include "core/redis/redis_error.hpp"
#include "core/redis/retry.hpp"
#include "tests/redis/redis_process.hpp"
#include "variants/redis/redis_filter.hpp"
#include "variants/redis/redis_load.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry::test {

inline constexpr RetryPolicy kOnce{.max_attempts = 1};
inline constexpr RetryPolicy kQuickRetries{.max_attempts = 4,
                                           .first_delay = std::chrono::milliseconds(2),
                                           .max_delay = std::chrono::milliseconds(20)};

/// The results of queries during a fault of the server.
struct FaultTally {
  std::uint64_t num_queries = 0;
  std::uint64_t num_answered = 0;
  std::array<std::uint64_t, 4> num_errors{};  ///< number of failed queries per RedisFailure
  std::uint64_t num_wrong_absent = 0;         ///< number of members reported absent

  [[nodiscard]] std::uint64_t errors(RedisFailure failure) const {
    return num_errors[static_cast<std::size_t>(failure)];
  }

  /// Returns the sum of the counts of kUnreachable, kRefused, kMissing and kChanged.
  [[nodiscard]] std::uint64_t all_errors() const;

  FaultTally& operator+=(const FaultTally& other);
};

[[nodiscard]] std::vector<std::string> keys_named(const std::string& prefix, std::size_t num_keys);

/// A standard filter named `seen` with 1,000 members, both in this process and in Redis.
class FilterUnderFault {
 public:
  /// Makes the filter.
  /// @param num_more_keys number of keys beyond the 1,000 members, so that two filters can differ
  explicit FilterUnderFault(std::size_t num_more_keys = 0);

  void load(RedisClient& client, const RedisLoadOptions& options = {}) const;

  [[nodiscard]] static RedisFilter open(const std::shared_ptr<RedisClient>& client);

  /// Returns a RedisFilter for this filter without reading the parameters from the server.
  [[nodiscard]] RedisFilter open_unseen(const std::shared_ptr<RedisClient>& client) const;

  [[nodiscard]] const std::vector<std::string>& members() const noexcept { return members_; }

  [[nodiscard]] FilterImage image() const;

  static constexpr const char* kName = "seen";
  static constexpr const char* kParameters = "{seen}:parameters";
  static constexpr const char* kCurrent = "seen:current";

 private:
  std::vector<std::string> members_;
  Keyed<StandardFilter> filter_;
};

/// A reference to a filter that is queried: a RedisFilter or a RotatingInRedis.
class QueriedFilter {
 public:
  /// Refers to the filter, which must outlive this object.
  template <class F>

  requires(!std::same_as<std::remove_const_t<F>, QueriedFilter>) QueriedFilter(F& filter)
      : query_([&filter](std::span<const KeyView> keys) { return filter.query(keys); }),
        lookup_([&filter](KeyView key) { return filter.lookup(key); }),
        reopen_([&filter] { filter.reopen(); }) {}

  [[nodiscard]] std::vector<Presence> query(std::span<const KeyView> keys) const {
    return query_(keys);
  }

  [[nodiscard]] RedisAnswer lookup(KeyView key) const { return lookup_(key); }

  void reopen() const { reopen_(); }

 private:
  std::function<std::vector<Presence>(std::span<const KeyView>)> query_;
  std::function<RedisAnswer(KeyView)> lookup_;
  std::function<void()> reopen_;
};

/// Queries a filter and counts the results.
class QueriesUnderFault {
 public:
  explicit QueriesUnderFault(const std::vector<std::string>& members);

  /// Queries a batch of 90 members and 10 absent keys in one call, and then the first member alone.
  /// @returns the cause of the failure if the batch query failed
  std::optional<RedisFailure> query_batch(const QueriedFilter& filter);

  /// Queries the next members in one call.
  std::optional<RedisFailure> query_next_members(const QueriedFilter& filter,
                                                 std::size_t num_members);

  /// Queries the next member alone. Returns the cause of a failure instead of throwing an
  /// exception.
  std::optional<RedisFailure> query_next_member(const QueriedFilter& filter);

  /// Queries the given keys, all of which must be members.
  std::optional<RedisFailure> query_members(const QueriedFilter& filter,
                                            const std::vector<std::string>& keys);

  [[nodiscard]] const FaultTally& tally() const noexcept { return tally_; }

 private:
  std::optional<RedisFailure> query(const QueriedFilter& filter, const std::vector<KeyView>& keys,
                                    std::size_t num_members);
  std::optional<RedisFailure> query_one(const QueriedFilter& filter, KeyView member);

  const std::vector<std::string>& members_;
  std::vector<std::string> others_;
  std::size_t next_ = 0;
  FaultTally tally_;
};

/// Makes the call, which must throw RedisError, and returns this error.
/// @throws std::logic_error if the call does not throw
template <class Call>
RedisError redis_error_of(Call call) {
  try {
    call();
  } catch (const RedisError& error) {
    return error;
  }
  throw std::logic_error("RedisError must have been thrown");
}

/// Returns the names of all keys on the server, sorted.
[[nodiscard]] std::vector<std::string> all_keys(RedisClient& client);

/// Runs one command and discards its reply.
template <class... Args>
void redis(RedisClient& client, const Args&... args) {
  static_cast<void>(client.command("", RedisCommands().add(args...)));
}

}  // namespace bloometry::test
