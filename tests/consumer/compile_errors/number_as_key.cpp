// Must not compile: a floating-point number is not a key.
// g++: error: static assertion failed: a bool, an enum or a floating-point number is not
// clang++: error: static_assert failed .*"a bool, an enum or a floating-point number is not

#include "core/any_filter/keyed.hpp"
#include "variants/counting/counting_filter.hpp"

int main() {
  bloometry::Keyed<bloometry::CountingFilter> seen(
      {.capacity = 1'000'000, .target_false_positive_rate = 0.01});
  return seen.erase(2.5) ? 1 : 0;
}
