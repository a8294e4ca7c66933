// Must not compile: a pointer is not a field.
// g++: error: static assertion failed: a pointer is not a field of a key, because its value
// clang++: error: static_assert failed .*"a pointer is not a field of a key, because its value

#include "core/hash/key_bytes.hpp"

namespace shop {

struct Order {
  const char* customer = "a";
  int number = 1;
};

void hash_append(bloometry::KeyBytes& key, const Order& order) {
  key.append(order.customer, order.number);
}

}  // namespace shop

int main() {
  bloometry::KeyBytes key;
  key.append(shop::Order{});
}
