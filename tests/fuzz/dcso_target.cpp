#include "tests/fuzz/checks.hpp"
#include "tests/fuzz/targets.hpp"
#include "variants/foreign/dcso/dcso_filter.hpp"

namespace bloometry::fuzz {

bool run_dcso(std::string_view input) {
  // The filter copies the bits into a store and the following bytes into a string.
  const auto filter =
      accepted(input, input.size() + kConstantBytes, [&] { return DcsoFilter::parse(input); });
  if (!filter) return false;
  require(filter->serialize() == input, "dcso: what is accepted is written again");
  require_inserts(*filter);
  return true;
}

}  // namespace bloometry::fuzz
