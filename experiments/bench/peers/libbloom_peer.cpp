#include <bloom.h>

#include <climits>
#include <cmath>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>

#include "experiments/bench/peers/peers.hpp"
#include "experiments/bench/target_of.hpp"

namespace bloometry::bench {
namespace {

/// Calls the public functions of libbloom. Version 2 of libbloom renamed bloom_init and widened its
/// counts; the adapter supports versions 1 and 2.
class LibbloomAdapter {
 public:
  LibbloomAdapter(std::uint64_t num_keys, double rate) {
    if (BLOOMETRY_LIBBLOOM_INIT(&bloom_, static_cast<BLOOMETRY_LIBBLOOM_COUNT>(num_keys), rate) !=
        0) {
      throw std::bad_alloc();
    }
  }

  LibbloomAdapter(const LibbloomAdapter&) = delete;
  LibbloomAdapter& operator=(const LibbloomAdapter&) = delete;

  ~LibbloomAdapter() { bloom_free(&bloom_); }

  void insert(std::uint64_t key) { bloom_add(&bloom_, &key, sizeof key); }

  void insert(std::string_view key) {
    bloom_add(&bloom_, key.data(), static_cast<BLOOMETRY_LIBBLOOM_COUNT>(key.size()));
  }

  [[nodiscard]] bool contains(std::uint64_t key) {
    return bloom_check(&bloom_, &key, sizeof key) == 1;
  }

  [[nodiscard]] bool contains(std::string_view key) {
    return bloom_check(&bloom_, key.data(), static_cast<BLOOMETRY_LIBBLOOM_COUNT>(key.size())) == 1;
  }

  // libbloom does not have batch calls, so the following two functions are never timed.
  void insert_batch(auto keys) {
    for (const auto& key : keys) insert(key);
  }

  [[nodiscard]] std::uint64_t count_batch(auto keys) {
    std::uint64_t num_positives = 0;
    for (const auto& key : keys) num_positives += static_cast<std::uint64_t>(contains(key));
    return num_positives;
  }

  void clear() { bloom_reset(&bloom_); }

  [[nodiscard]] std::uint64_t num_bits() const { return static_cast<std::uint64_t>(bloom_.bits); }

 private:
  struct bloom bloom_ {};
};

TargetPlan plan_libbloom(const TargetRequest& request) {
  constexpr double kLn2 = 0.69314718055994530942;
  const double bits_per_key = -std::log(request.rate) / (kLn2 * kLn2);  // the formula of libbloom
  const double num_bits = bits_per_key * static_cast<double>(request.num_keys);
  TargetPlan plan{.name = "libbloom",
                  .is_peer = true,
                  .hash = "murmur2",
                  .num_bits = static_cast<std::uint64_t>(num_bits),
                  .num_hashes = static_cast<unsigned>(std::ceil(bits_per_key * kLn2))};
  if (num_bits >= static_cast<double>(INT_MAX)) {
    plan.refusal = "its indices are 32-bit; it does not support filters of 2^31 bits or more";
    return plan;
  }
  plan.build = [n = request.num_keys, rate = request.rate] {
    return std::make_unique<TargetOf<LibbloomAdapter>>(n, rate);
  };
  return plan;
}

}  // namespace

void add_libbloom(std::vector<TargetKind>& kinds) {
  kinds.push_back({.name = "libbloom", .is_peer = true, .plan = &plan_libbloom});
}

}  // namespace bloometry::bench
