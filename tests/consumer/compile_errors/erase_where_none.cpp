// Must not compile: the filter cannot erase.
// g++: error: use of deleted function .*::erase\(.*\) \[with Key = .*; FilterThatCannotErase =
// clang++: error: 'erase' is unavailable: this filter cannot erase; one of counters can

#include "core/any_filter/keyed.hpp"
#include "variants/standard/standard_filter.hpp"

int main() {
  bloometry::Keyed<bloometry::StandardFilter> seen(
      {.capacity = 1'000'000, .target_false_positive_rate = 0.01});
  seen.insert("a");
  seen.erase("a");
}
