// Must not compile: the hash_append of the base ignores the number.
// g++: error: static assertion failed: this type has only the hash_append of its base
// clang++: error: static_assert failed .*"this type has only the hash_append of its base

#include <string>

#include "core/any_filter/keyed.hpp"
#include "variants/standard/standard_filter.hpp"

namespace shop {

struct Customer {
  std::string name;
};

inline void hash_append(bloometry::KeyBytes& key, const Customer& customer) {
  key.append(customer.name);
}

struct Member : Customer {
  int number = 1;
};

}  // namespace shop

int main() {
  bloometry::Keyed<bloometry::StandardFilter> seen(
      {.capacity = 1'000'000, .target_false_positive_rate = 0.01});
  seen.insert(shop::Member{});
}
