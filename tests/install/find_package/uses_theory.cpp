// A program that uses bloometry::theory and prints the exact rate of a filter.

#include <iostream>

#include "core/any_filter/keyed.hpp"
#include "variants/registry/theory_registry.hpp"
#include "variants/standard/standard_filter.hpp"

int main() {
  const bloometry::FilterSpec spec{.capacity = 1000, .target_false_positive_rate = 0.01};
  const auto rate = [&](std::uint64_t num_keys) {
    return bloometry::find_theory("standard")
        .expected_rate(spec, bloometry::StandardFilter::kModel, num_keys);
  };
  std::cout << rate(1000) << " at capacity, " << rate(2000) << " with twice the keys\n";
  return rate(1000) <= 0.01 && rate(2000) > 0.01 ? 0 : 1;
}
