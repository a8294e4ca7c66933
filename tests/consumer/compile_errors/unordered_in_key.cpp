// Must not compile: the order of the elements is not defined.
// g++: error: static assertion failed: an unordered container is not a field of a key
// clang++: error: static_assert failed .*"an unordered container is not a field of a key

#include <string>
#include <unordered_set>

#include "core/hash/key_bytes.hpp"

namespace shop {

struct Order {
  std::unordered_set<std::string> items;
};

void hash_append(bloometry::KeyBytes& key, const Order& order) {
  key.append(order.items);
}

}  // namespace shop

int main() {
  bloometry::KeyBytes key;
  key.append(shop::Order{});
}
