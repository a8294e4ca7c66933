#pragma once

#include <cstdint>
#include <utility>

#include "experiments/bench/target.hpp"

namespace bloometry::bench {

/// Implements BenchmarkTarget with an adapter. An adapter is a class with the functions
/// insert(key), contains(key), insert_batch(keys), count_batch(keys), clear() and num_bits(), for
/// integers and for strings. An adapter may also have erase(key) and erase_batch(keys).
template <class Adapter>
class TargetOf final : public BenchmarkTarget {
 public:
  template <class... Arguments>
  explicit TargetOf(Arguments&&... arguments) : adapter_(std::forward<Arguments>(arguments)...) {}

  void insert(IntegerKeys keys, Call call) override { insert_keys(keys, call); }

  void insert(StringKeys keys, Call call) override { insert_keys(keys, call); }

  std::uint64_t count_positives(IntegerKeys keys, Call call) override { return count(keys, call); }

  std::uint64_t count_positives(StringKeys keys, Call call) override { return count(keys, call); }

  std::uint64_t erase(IntegerKeys keys, Call call) override { return erase_keys(keys, call); }

  std::uint64_t erase(StringKeys keys, Call call) override { return erase_keys(keys, call); }

  void clear() override { adapter_.clear(); }

  [[nodiscard]] std::uint64_t num_bits() const override { return adapter_.num_bits(); }

 private:
  template <class Keys>
  void insert_keys(Keys keys, Call call) {
    if (call == Call::kBatch) return adapter_.insert_batch(keys);
    insert_singly(keys);
  }

  template <class Keys>
  std::uint64_t count(Keys keys, Call call) {
    return call == Call::kBatch ? adapter_.count_batch(keys) : count_singly(keys);
  }

  template <class Keys>
  std::uint64_t erase_keys(Keys keys, Call call) {
    if constexpr (requires { adapter_.erase(keys.front()); }) {
      return call == Call::kBatch ? adapter_.erase_batch(keys) : erase_singly(keys);
    }
    return 0;
  }

  // The loops are plain, as in a caller's program. Answers are added without a branch, because a
  // branch would be the caller's cost. A file contains the loops of many filters. Without the
  // attribute flatten, g++ does not inline the hash and the filter into some of these loops. In a
  // caller's program, g++ inlines the hash and the filter without the attribute.
  template <class Keys>
  [[gnu::flatten]] void insert_singly(Keys keys) {
    for (const auto& key : keys) adapter_.insert(key);
  }

  template <class Keys>
  [[gnu::flatten]] std::uint64_t count_singly(Keys keys) {
    std::uint64_t num_positives = 0;
    for (const auto& key : keys)
      num_positives += static_cast<std::uint64_t>(adapter_.contains(key));
    return num_positives;
  }

  template <class Keys>
  [[gnu::flatten]] std::uint64_t erase_singly(Keys keys) {
    std::uint64_t num_erased = 0;
    for (const auto& key : keys) num_erased += static_cast<std::uint64_t>(adapter_.erase(key));
    return num_erased;
  }

  Adapter adapter_;
};

}  // namespace bloometry::bench
