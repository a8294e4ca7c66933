#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "core/redis/redis_error.hpp"
#include "core/redis/redis_url.hpp"
#include "core/redis/retry.hpp"

namespace bloometry::test {

/// The results of queries for members.
struct Observed {
  std::uint64_t num_queries = 0;                   ///< number of answered queries, one per key
  std::uint64_t num_batches = 0;                   ///< number of batches that were answered
  std::uint64_t num_absent = 0;                    ///< number of members wrongly reported absent
  std::map<RedisFailure, std::uint64_t> errors{};  ///< number of failed batches per cause
  std::uint64_t num_inserts = 0;                   ///< number of keys whose insert was confirmed
  std::uint64_t num_insert_errors = 0;

  Observed& operator+=(const Observed& other);

  [[nodiscard]] std::uint64_t num_errors() const;
};

/// Prints one row of the table of observations, and a header before the first row.
void print_row(const std::string& fault, const Observed& observed);

/// Returns the name of member i of a stream.
[[nodiscard]] std::string member_key(std::uint64_t i);

/// Runs two threads, each with its own client, until the stream is stopped. The first thread
/// inserts members into a native filter built with Xxh3Hasher(0). The second thread queries members
/// whose inserts are confirmed.
class QueryStream {
 public:
  struct Options {
    std::uint64_t num_members = 0;  ///< number of members in the filter at the start
    unsigned num_replicas = 0;      ///< number of replicas that must confirm an insert
    RetryPolicy retry = kClusterRetryPolicy;
  };

  QueryStream(const RedisUrl& url, const std::string& name, const Options& options);
  ~QueryStream();
  QueryStream(const QueryStream&) = delete;
  QueryStream& operator=(const QueryStream&) = delete;

  /// Returns the number of queries answered so far.
  [[nodiscard]] std::uint64_t num_queries() const noexcept { return num_queries_; }

  /// Returns the number of members confirmed so far.
  [[nodiscard]] std::uint64_t num_members() const noexcept { return num_members_; }

  /// Ends both threads, then queries every confirmed member once more.
  [[nodiscard]] Observed stop();

 private:
  void query();
  void insert();

  RedisUrl url_;
  std::string name_;
  Options options_;
  std::atomic<bool> is_stopped_ = false;
  std::atomic<std::uint64_t> num_members_;
  std::atomic<std::uint64_t> num_queries_ = 0;
  Observed by_query_;
  Observed by_insert_;
  std::thread query_thread_;
  std::thread insert_thread_;
};

}  // namespace bloometry::test
