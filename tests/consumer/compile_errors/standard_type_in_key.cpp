// Must not compile: hash_append cannot be defined for a type of the standard library.
// g++: error: static assertion failed: this type of the standard library is not a field
// clang++: error: static_assert failed .*"this type of the standard library is not a field

#include <chrono>

#include "core/hash/key_bytes.hpp"

int main() {
  bloometry::KeyBytes key;
  key.append(std::chrono::seconds(1));
}
