// Must not compile: answers cannot be written to a std::vector<bool>.
// g++: error: static assertion failed: std::vector<bool> does not contain bools: pass an array
// clang++: error: static_assert failed due to .* "std::vector<bool> does not contain bools: pass an
// array

#include <string>
#include <vector>

#include "core/any_filter/keyed.hpp"
#include "variants/standard/standard_filter.hpp"

int main() {
  const bloometry::Keyed<bloometry::StandardFilter> seen(
      {.capacity = 1'000'000, .target_false_positive_rate = 0.01});
  const std::vector<std::string> keys = {"a", "b"};
  std::vector<bool> answers(keys.size());
  seen.contains(keys, answers);
}
