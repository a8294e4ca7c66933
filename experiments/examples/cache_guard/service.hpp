#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "experiments/examples/cache_guard/request_log.hpp"
#include "experiments/examples/cache_guard/url_guard.hpp"
#include "experiments/examples/cache_guard/url_table.hpp"
#include "experiments/examples/checks.hpp"
#include "experiments/examples/false_positives.hpp"
#include "experiments/examples/latencies.hpp"

namespace bloometry::examples {

/// The outcome of a set of requests.
struct Outcome {
  std::uint64_t num_requests = 0;
  std::uint64_t num_existing = 0;         ///< number of requests for URLs that exist
  std::uint64_t num_lookups = 0;          ///< number of lookups in the database
  std::uint64_t num_guarded = 0;          ///< requests that the guard answered with 404
  std::uint64_t num_passed = 0;           ///< lookups of missing URLs, except num_unknown_missing
  std::uint64_t num_unknown = 0;          ///< requests without an answer of the guard
  std::uint64_t num_unknown_missing = 0;  ///< the part of num_unknown for missing URLs
  std::uint64_t num_wrong = 0;            ///< number of requests with a wrong answer
  Latencies hits{};                       ///< latencies of requests for existing URLs
  Latencies misses{};                     ///< latencies of requests for missing URLs
  std::unordered_set<std::uint64_t> missing_queried{};  ///< distinct missing URLs that were queried
  std::unordered_set<std::uint64_t> missing_passed{};   ///< missing URLs that tested positive

  [[nodiscard]] FalsePositives false_positives() const {
    return {.num_queries = missing_queried.size(), .num_passed = missing_passed.size()};
  }

  /// Checks that all answers were correct and that the counts are consistent.
  void check(const std::string& name, Checks& checks) const;
};

/// A service that answers requests for old URLs with their new address or with 404.
class Service {
 public:
  /// Creates the service. Without a guard (null), the service looks up every URL.
  Service(std::string name, const RequestLog& log, UrlTable& table, std::unique_ptr<UrlGuard> guard,
          std::size_t batch_size = 1)
      : name_(std::move(name)),
        log_(log),
        table_(table),
        guard_(std::move(guard)),
        batch_size_(batch_size) {}

  /// Serves the requests, with one call of the guard per batch_size requests. The latency of a
  /// request is the request's share of the guard's call plus the time of the request's lookup, if
  /// any.
  void serve(std::span<const std::uint64_t> requests);

  /// Returns the outcome of the requests so far and resets the outcome.
  Outcome take_outcome();

  [[nodiscard]] const Outcome& outcome() const noexcept { return outcome_; }

  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  [[nodiscard]] const UrlGuard* guard() const noexcept { return guard_.get(); }

 private:
  void serve_batch(std::span<const std::uint64_t> requests);
  void serve_one(std::uint64_t url, bool is_surely_absent, bool is_unknown,
                 Clock::duration guard_time);
  void count_missing(std::uint64_t url, bool is_surely_absent);
  [[nodiscard]] std::vector<bool> query_guard(std::span<const std::uint64_t> requests);

  std::string name_;
  const RequestLog& log_;
  UrlTable& table_;
  std::unique_ptr<UrlGuard> guard_;
  std::size_t batch_size_;
  Outcome outcome_;
};

}  // namespace bloometry::examples
