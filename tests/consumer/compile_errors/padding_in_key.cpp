// Must not compile: the object has padding.
// g++: error: static assertion failed: append_bytes_of\(\) needs an object without padding
// clang++: error: static_assert failed .*"append_bytes_of\(\) needs an object without padding

#include "core/hash/key_bytes.hpp"

namespace shop {

struct Order {
  char kind = 0;
  int number = 1;
};

void hash_append(bloometry::KeyBytes& key, const Order& order) {
  key.append_bytes_of(order);
}

}  // namespace shop

int main() {
  bloometry::KeyBytes key;
  key.append(shop::Order{});
}
