// This program must not compile: the filter's hash needs a secret, which the program does not pass.

#include "core/any_filter/keyed.hpp"
#include "core/hash/siphash_hashers.hpp"
#include "variants/standard/standard_filter.hpp"

int main() {
  bloometry::Keyed<bloometry::StandardFilter, bloometry::SipHash128Hasher> seen(
      {.capacity = 1'000'000, .target_false_positive_rate = 0.01});
}
