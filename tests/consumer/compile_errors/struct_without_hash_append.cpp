// Must not compile: the struct does not have a function hash_append.
// g++: error: static assertion failed: this type is not a key: define `void hash_append
// clang++: error: static_assert failed .*"this type is not a key: define `void hash_append

#include <string>

#include "core/any_filter/keyed.hpp"
#include "variants/standard/standard_filter.hpp"

namespace shop {

struct Order {
  std::string customer;
  int number;
};

}  // namespace shop

int main() {
  bloometry::Keyed<bloometry::StandardFilter> seen(
      {.capacity = 1'000'000, .target_false_positive_rate = 0.01});
  seen.insert(shop::Order{"a", 1});
}
