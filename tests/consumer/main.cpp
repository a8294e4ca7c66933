// A program that uses bloometry::filters in the usual way. The program needs a C++20 compiler and
// xxHash. consumer_needs_only_xxhash checks every header that the program includes.

#include <iostream>
#include <string_view>

#include "core/any_filter/keyed.hpp"
#include "core/contract/set_estimates.hpp"
#include "variants/registry/registry.hpp"
#include "variants/standard/standard_filter.hpp"

int main() {
  bloometry::Keyed<bloometry::StandardFilter> seen(
      {.capacity = 1'000'000, .target_false_positive_rate = 0.01});
  seen.insert("a");
  if (!seen.contains("a") || seen.contains("b")) return 1;

  bloometry::Keyed<bloometry::StandardFilter> elsewhere(
      {.capacity = 1'000'000, .target_false_positive_rate = 0.01});
  elsewhere.insert("b");
  if (bloometry::estimate_intersection(seen, elsewhere) > 0.5) return 1;
  seen.merge(elsewhere);
  if (!seen.contains("a") || !seen.contains("b")) return 1;

  const bloometry::AnyFilter counting = bloometry::make_filter(
      "counting", "remix", {.capacity = 1000, .target_false_positive_rate = 0.01});
  for (const bloometry::VariantInfo& variant : bloometry::all_variant_infos()) {
    std::cout << variant.name << ": " << variant.summary << '\n';
  }
  return counting.can_erase() ? 0 : 1;
}
