#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/redis/filter_under_fault.hpp"

namespace bloometry::test {

/// The minimum number of rounds and queries of a trial, and the trial's time limit.
struct TrialSize {
  unsigned num_rounds = 0;        ///< number of times that the fault is caused
  std::uint64_t num_queries = 0;  ///< number of queries of members
  std::chrono::seconds time_limit{0};
};

/// Queries a filter for its members in the calling thread, one by one and in batches of up to
/// 2,500. Another thread causes the fault repeatedly.
class FaultTrial {
 public:
  /// Prepares the trial.
  /// @param members keys that the filter contains; must outlive the trial
  template <class F>
  FaultTrial(const TrialSize& size, const std::vector<std::string>& members, F filter)
      : FaultTrial(size, members, owned(std::make_shared<F>(std::move(filter)))) {}

  /// Runs the trial until the requested rounds and queries are done.
  /// @throws any exception that `disturb` throws; std::runtime_error after the time limit
  void run(const std::function<void()>& disturb);

  /// Waits until at least two queries have begun and ended. Called by `disturb`.
  void wait_for_calls() const;

  /// Waits for a random time of up to 3 ms, so that the next step may hit any part of a query.
  /// Called by `disturb`.
  void wait_randomly();

  /// Returns a random number in [0, bound). Called by `disturb`.
  [[nodiscard]] std::uint64_t random_below(std::uint64_t bound);

  /// Sets whether the trial reopens the filter after kMissing and kChanged. The default is true.
  /// Use false if another client has edited the parameters, because the trial must not accept
  /// edited parameters.
  void set_reopens(bool reopens);

  [[nodiscard]] const FaultTally& tally() const noexcept { return stream_.tally(); }

 private:
  struct OwnedFilter {
    std::shared_ptr<void> owner;
    QueriedFilter filter;
  };

  template <class F>
  static OwnedFilter owned(const std::shared_ptr<F>& filter) {
    return {filter, QueriedFilter(*filter)};
  }

  FaultTrial(const TrialSize& size, const std::vector<std::string>& members, OwnedFilter filter)
      : size_(size), filter_(std::move(filter)), stream_(members) {}

  void call();
  [[nodiscard]] bool is_time_up() const;

  TrialSize size_;
  OwnedFilter filter_;
  QueriesUnderFault stream_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::mt19937_64 random_{20'260'101};
  std::size_t next_size_ = 0;
  std::mutex reopening_;
  bool reopens_ = true;
  std::atomic<std::uint64_t> num_calls_ = 0;
  std::atomic<std::uint64_t> num_queries_ = 0;
  std::atomic<bool> is_over_ = false;
};

}  // namespace bloometry::test
