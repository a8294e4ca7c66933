// Must not compile: the hash_append of the base of a field ignores the number.
// g++: error: static assertion failed: this type has only the hash_append of its base
// clang++: error: static_assert failed .*"this type has only the hash_append of its base

#include <string>

#include "core/hash/key_bytes.hpp"

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
  bloometry::KeyBytes key;
  key.append(shop::Member{});
}
