#include "experiments/trial/window_truth.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "tests/experiments/unit/unit_factory.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

/// The truth by its definition: a list of all calls. Every question searches the whole list.
class ListedTruth {
 public:
  explicit ListedTruth(const StreamWindow& window) : window_(window) {}

  void insert(std::uint64_t key) {
    calls_.push_back(key);
    ++copies_[key];
  }

  void refuse() { calls_.push_back(kRefused); }

  void erase(std::uint64_t key) { --copies_[key]; }

  [[nodiscard]] std::vector<std::uint64_t> in_window() const {
    std::vector<std::uint64_t> keys;
    for (const auto& [key, copies] : copies_) {
      if (copies > 0 && is_young(last_call(key))) keys.push_back(key);
    }
    return keys;
  }

  /// Returns the other keys, the latest insert first.
  [[nodiscard]] std::vector<std::uint64_t> expired() const {
    std::vector<std::uint64_t> keys;
    for (const auto& [key, copies] : copies_) {
      if (copies == 0 || !is_young(last_call(key))) keys.push_back(key);
    }
    std::sort(keys.begin(), keys.end(),
              [&](auto a, auto b) { return last_call(a) > last_call(b); });
    return keys;
  }

  [[nodiscard]] bool is_erased(std::uint64_t key) const { return copies_.at(key) == 0; }

 private:
  static constexpr std::uint64_t kRefused = ~std::uint64_t{0};

  [[nodiscard]] std::size_t last_call(std::uint64_t key) const {
    std::size_t last = 0;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      if (calls_[i] == key) last = i;
    }
    return last;
  }

  /// Counts the calls, or the ticks, from the given call to the end, one by one.
  [[nodiscard]] bool is_young(std::size_t call) const {
    std::uint64_t num_calls = 0;
    std::uint64_t num_ticks = 0;
    for (std::size_t i = call; i < calls_.size(); ++i) {
      ++num_calls;
      if (window_.is_in_ticks() && (i + 1) % window_.inserts_per_tick == 0) ++num_ticks;
    }
    return (window_.is_in_ticks() ? num_ticks : num_calls) <= window_.size;
  }

  StreamWindow window_;
  std::vector<std::uint64_t> calls_;
  std::map<std::uint64_t, int> copies_;
};

std::vector<std::uint64_t> window_of(const WindowTruth& truth) {
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 0; i < truth.num_in_window(); ++i) keys.push_back(truth.in_window(i));
  std::sort(keys.begin(), keys.end());
  return keys;
}

std::vector<std::uint64_t> expired_of(const WindowTruth& truth) {
  std::vector<std::uint64_t> keys;
  truth.for_each_expired([&](std::uint64_t key) {
    keys.push_back(key);
    return true;
  });
  return keys;
}

void require_equal_truth(const WindowTruth& truth, const ListedTruth& listed) {
  REQUIRE(window_of(truth) == listed.in_window());
  const std::vector<std::uint64_t> expired = expired_of(truth);
  REQUIRE(expired == listed.expired());
  for (const std::uint64_t key : expired) REQUIRE(truth.is_erased(key) == listed.is_erased(key));
}

/// Compares both truths after each of num_calls random calls.
void compare(const StreamWindow& window, std::uint64_t num_calls, std::uint64_t seed) {
  test::TestNumbers numbers(seed);
  WindowTruth truth(window, num_calls);
  ListedTruth listed(window);
  std::uint64_t num_new = 0;
  for (std::uint64_t call = 0; call < num_calls; ++call) {
    CAPTURE(window.size, window.inserts_per_tick, seed, call);
    const bool is_repeated = truth.num_in_window() > 0 && numbers.below(3) == 0;
    const std::uint64_t key =
        is_repeated ? truth.in_window(numbers.below(truth.num_in_window())) : num_new;
    if (!is_repeated && numbers.below(8) == 0) {
      truth.refuse();
      listed.refuse();
      ++num_new;
    } else {
      truth.insert(key);
      listed.insert(key);
      num_new += is_repeated ? 0 : 1;
    }
    if (window.erase > 0 && truth.num_in_window() > 0 && numbers.below(3) == 0) {
      const std::uint64_t erased = truth.in_window(numbers.below(truth.num_in_window()));
      truth.erase(erased);
      listed.erase(erased);
    }
    require_equal_truth(truth, listed);
  }
}

}  // namespace

TEST_CASE("window_truth: equals a list of calls after every call", "[experiments][trial]") {
  std::uint64_t seed = 0;
  for (const double erase : {0.0, 0.3}) {
    for (const std::uint64_t size : {1, 2, 3, 7, 40, 1000}) {
      compare({.size = size, .erase = erase}, 60, ++seed);
      for (const std::uint64_t inserts : {1, 2, 5, 100}) {
        compare({.size = size, .inserts_per_tick = inserts, .erase = erase}, 60, ++seed);
      }
    }
  }
}

TEST_CASE("window_truth: a window of one key holds the newest key", "[experiments][trial]") {
  WindowTruth truth({.size = 1}, 3);
  REQUIRE(truth.num_in_window() == 0);
  for (const std::uint64_t key : {0, 1, 2}) {
    truth.insert(key);
    REQUIRE(truth.num_in_window() == 1);
    REQUIRE(truth.in_window(0) == key);
  }
}

TEST_CASE("window_truth: a key stays for `size` ticks after its tick", "[experiments][trial]") {
  // Ticks follow calls 2, 4, 6 and 8. The key of call 2 sees the first of them at once.
  WindowTruth truth({.size = 2, .inserts_per_tick = 2}, 8);
  const auto has = [&](std::uint64_t key) {
    const std::vector<std::uint64_t> keys = window_of(truth);
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  for (std::uint64_t key = 0; key < 5; ++key) truth.insert(key);
  REQUIRE((has(0) && has(1)));  // two ticks
  truth.insert(5);
  REQUIRE_FALSE((has(0) || has(1)));  // three ticks
  REQUIRE((has(2) && has(3)));
}

TEST_CASE("window_truth: a repeated insert begins a new window", "[experiments][trial]") {
  WindowTruth truth({.size = 2}, 4);
  truth.insert(0);
  truth.insert(1);
  truth.insert(0);
  REQUIRE(window_of(truth) == std::vector<std::uint64_t>{0, 1});
  truth.insert(2);
  REQUIRE(window_of(truth) == std::vector<std::uint64_t>{0, 2});
  REQUIRE(expired_of(truth) == std::vector<std::uint64_t>{1});
}

TEST_CASE("window_truth: a key leaves the window with its last copy", "[experiments][trial]") {
  WindowTruth truth({.size = 10, .erase = 0.5}, 4);
  truth.insert(0);
  truth.insert(0);
  truth.erase(0);
  REQUIRE(truth.num_in_window() == 1);
  REQUIRE_FALSE(truth.is_erased(0));
  truth.erase(0);
  REQUIRE(truth.num_in_window() == 0);
  REQUIRE(truth.is_erased(0));
}

}  // namespace bloometry
