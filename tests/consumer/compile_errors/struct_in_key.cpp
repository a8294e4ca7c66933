// Must not compile: a field is a struct without hash_append.
// g++: error: static assertion failed: this type is not a field of a key: define
// clang++: error: static_assert failed .*"this type is not a field of a key: define

#include <string>
#include <vector>

#include "core/hash/key_bytes.hpp"

namespace shop {

struct Customer {
  std::string name;
};

struct Order {
  std::vector<Customer> customers;
};

void hash_append(bloometry::KeyBytes& key, const Order& order) {
  key.append(order.customers);
}

}  // namespace shop

int main() {
  bloometry::KeyBytes key;
  key.append(shop::Order{});
}
