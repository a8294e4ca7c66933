#include "experiments/trial/window_truth.hpp"

#include <algorithm>

namespace bloometry {

WindowTruth::WindowTruth(const StreamWindow& window, std::uint64_t max_calls)
    : window_(window),
      counts_copies_(window.erase > 0),
      last_call_(max_calls, kNone),
      position_(max_calls, kNone),
      num_copies_(counts_copies_ ? max_calls : 0) {
  calls_.reserve(max_calls);
  // Up to T - 1 calls of the current tick are in the window beside those of `size` whole ticks.
  present_.reserve(std::min(max_calls, window.num_inserts() + window.inserts_per_tick));
}

void WindowTruth::insert(std::uint64_t key) {
  last_call_[key] = calls_.size();
  calls_.push_back(key);
  if (counts_copies_) ++num_copies_[key];
  if (position_[key] == kNone) {
    position_[key] = present_.size();
    present_.push_back(key);
  }
  expire_keys();
}

void WindowTruth::refuse() {
  calls_.push_back(kNone);
  expire_keys();
}

void WindowTruth::erase(std::uint64_t key) {
  if (--num_copies_[key] == 0) remove_from_window(key);
}

std::uint64_t WindowTruth::num_ticks() const noexcept {
  return window_.is_in_ticks() ? num_calls() / window_.inserts_per_tick : 0;
}

std::uint64_t WindowTruth::num_ticks_since(std::uint64_t call) const noexcept {
  return window_.is_in_ticks() ? num_ticks() - call / window_.inserts_per_tick : 0;
}

bool WindowTruth::is_in_window(std::uint64_t call) const noexcept {
  const std::uint64_t age =
      window_.is_in_ticks() ? num_ticks_since(call) : num_calls() - call;  // 1 is the newest call
  return age <= window_.size;
}

void WindowTruth::expire_keys() {
  for (; oldest_ < num_calls() && !is_in_window(oldest_); ++oldest_) {
    const std::uint64_t key = calls_[oldest_];
    if (key == kNone || last_call_[key] != oldest_ || position_[key] == kNone) continue;
    remove_from_window(key);
  }
}

void WindowTruth::remove_from_window(std::uint64_t key) {
  const std::uint64_t last = present_.back();
  present_[position_[key]] = last;
  position_[last] = position_[key];
  present_.pop_back();
  position_[key] = kNone;
}

std::uint64_t window_truth_bytes(std::uint64_t max_calls) noexcept {
  return max_calls * (4 * sizeof(std::uint64_t) + sizeof(std::uint32_t));
}

}  // namespace bloometry
