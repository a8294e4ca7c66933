#include "tests/fuzz/checks.hpp"
#include "tests/fuzz/targets.hpp"
#include "variants/foreign/guava/guava_filter.hpp"

namespace bloometry::fuzz {

bool run_guava(std::string_view input) {
  // The reader allocates a store for the longs in the input.
  const auto filter =
      accepted(input, input.size() + kConstantBytes, [&] { return GuavaFilter::parse(input); });
  if (!filter) return false;
  require(filter->serialize() == input, "guava: what is accepted is written again");
  require_inserts(*filter);
  for (const std::uint64_t index : filter->indices(GuavaKey("a"))) {
    require(index < filter->num_bits(), "guava: an index is below num_bits");
  }
  return true;
}

}  // namespace bloometry::fuzz
