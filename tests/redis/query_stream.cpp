#include "tests/redis/query_stream.hpp"

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <random>
#include <vector>

#include "core/hash/xxh3_hasher.hpp"
#include "core/redis/connect_redis.hpp"
#include "variants/redis/redis_filter.hpp"

namespace bloometry::test {
namespace {

constexpr std::uint64_t kQueryBatch = 500;
constexpr std::uint64_t kInsertBatch = 20;

std::vector<std::string> members(std::uint64_t first, std::uint64_t last) {
  std::vector<std::string> keys;
  for (std::uint64_t i = first; i < last; ++i) keys.push_back(member_key(i));
  return keys;
}

RedisFilter open(const RedisUrl& url, const std::string& name, const RetryPolicy& retry) {
  const auto client = connect_redis(url, {}, retry);
  return {client, find_in_redis(*client, name), Xxh3Hasher(0)};
}

void query_members(RedisFilter& filter, std::uint64_t first, std::uint64_t last,
                   Observed& observed) {
  const auto keys = members(first, last);
  const auto answers = filter.query(std::vector<KeyView>(keys.begin(), keys.end()));
  ++observed.num_batches;
  observed.num_queries += answers.size();
  observed.num_absent +=
      static_cast<std::uint64_t>(std::count(answers.begin(), answers.end(), Presence::kAbsent));
}

/// Reopens the filter if the error is kChanged. This error means that the server has lost
/// unconfirmed keys.
void reopen_if_changed(RedisFilter& filter, const RedisError& error) {
  if (error.failure() != RedisFailure::kChanged) return;
  try {
    filter.reopen();
  } catch (const RedisError&) {
    // The next query reports the error.
  }
}

std::uint64_t errors_of(const Observed& observed, RedisFailure failure) {
  const auto found = observed.errors.find(failure);
  return found == observed.errors.end() ? 0 : found->second;
}

}  // namespace

Observed& Observed::operator+=(const Observed& other) {
  num_queries += other.num_queries;
  num_batches += other.num_batches;
  num_absent += other.num_absent;
  for (const auto& [failure, count] : other.errors) errors[failure] += count;
  num_inserts += other.num_inserts;
  num_insert_errors += other.num_insert_errors;
  return *this;
}

std::uint64_t Observed::num_errors() const {
  std::uint64_t sum = 0;
  for (const auto& [failure, count] : errors) sum += count;
  return sum;
}

void print_row(const std::string& fault, const Observed& observed) {
  static bool has_header = false;
  if (!has_header) {
    std::cout << "fault                                           queries  batches  absent "
                 "unreach. refused missing changed  inserts  ins.err.\n";
    has_header = true;
  }
  std::cout << std::left << std::setw(46) << fault << std::right << std::setw(9)
            << observed.num_queries << std::setw(9) << observed.num_batches << std::setw(8)
            << observed.num_absent << std::setw(9)
            << errors_of(observed, RedisFailure::kUnreachable) << std::setw(8)
            << errors_of(observed, RedisFailure::kRefused) << std::setw(8)
            << errors_of(observed, RedisFailure::kMissing) << std::setw(8)
            << errors_of(observed, RedisFailure::kChanged) << std::setw(9) << observed.num_inserts
            << std::setw(10) << observed.num_insert_errors << std::endl;
}

std::string member_key(std::uint64_t i) {
  return "member-" + std::to_string(i);
}

QueryStream::QueryStream(const RedisUrl& url, const std::string& name, const Options& options)
    : url_(url),
      name_(name),
      options_(options),
      num_members_(options.num_members),
      query_thread_([this] { query(); }),
      insert_thread_([this] { insert(); }) {}

QueryStream::~QueryStream() {
  is_stopped_ = true;
  if (query_thread_.joinable()) query_thread_.join();
  if (insert_thread_.joinable()) insert_thread_.join();
}

void QueryStream::query() {
  RedisFilter filter = open(url_, name_, options_.retry);
  std::mt19937_64 random(1);
  while (!is_stopped_) {
    const std::uint64_t num_members = num_members_;
    const std::uint64_t num_keys = std::min(kQueryBatch, num_members);
    const std::uint64_t first = random() % (num_members - num_keys + 1);
    try {
      query_members(filter, first, first + num_keys, by_query_);
      num_queries_ += num_keys;
    } catch (const RedisError& error) {
      ++by_query_.errors[error.failure()];
      reopen_if_changed(filter, error);
    }
  }
}

void QueryStream::insert() {
  RedisFilter filter = open(url_, name_, options_.retry);
  while (!is_stopped_) {
    const auto keys = members(num_members_, num_members_ + kInsertBatch);
    try {
      filter.insert(std::vector<KeyView>(keys.begin(), keys.end()));
      if (options_.num_replicas > 0) {
        filter.wait_for_replicas(options_.num_replicas, std::chrono::milliseconds(500));
      }
      num_members_ += kInsertBatch;
      by_insert_.num_inserts += kInsertBatch;
    } catch (const RedisError& error) {
      ++by_insert_.num_insert_errors;  // the next round inserts the same keys again
      reopen_if_changed(filter, error);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

Observed QueryStream::stop() {
  is_stopped_ = true;
  query_thread_.join();
  insert_thread_.join();
  Observed observed = by_query_;
  observed += by_insert_;
  RedisFilter filter = open(url_, name_, kClusterRetryPolicy);
  query_members(filter, 0, num_members_, observed);
  return observed;
}

}  // namespace bloometry::test
