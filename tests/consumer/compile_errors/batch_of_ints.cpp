// Must not compile: a batch of integers contains std::uint64_t.
// g++: error: static assertion failed: a batch of keys must be a contiguous range of
// clang++: error: static_assert failed .*"a batch of keys must be a contiguous range of

#include <array>
#include <vector>

#include "core/any_filter/keyed.hpp"
#include "variants/standard/standard_filter.hpp"

int main() {
  const bloometry::Keyed<bloometry::StandardFilter> seen(
      {.capacity = 1'000'000, .target_false_positive_rate = 0.01});
  const std::vector<int> keys = {1, 2};
  std::array<bool, 2> answers{};
  seen.contains(keys, answers);
}
