#include "tests/fuzz/checks.hpp"
#include "tests/fuzz/targets.hpp"
#include "variants/foreign/go_bits_and_blooms/go_bits_and_blooms_filter.hpp"

namespace bloometry::fuzz {
namespace {

void use(const GoBitsAndBloomsFilter& filter) {
  require(GoBitsAndBloomsFilter::parse(filter.serialize()) == filter,
          "go: the binary form is read again");
  require(GoBitsAndBloomsFilter::parse_json(filter.serialize_json()) == filter,
          "go: the JSON is read again");
  require_inserts(filter);
}

}  // namespace

bool run_go_binary(std::string_view input) {
  // The reader allocates a store for the words in the input.
  const auto filter = accepted(input, input.size() + kConstantBytes,
                               [&] { return GoBitsAndBloomsFilter::parse(input); });
  if (!filter) return false;
  require(filter->serialize() == input, "go: what is accepted is written again");
  use(*filter);
  return true;
}

bool run_go_json(std::string_view input) {
  // The decoded bit set has at most three quarters of the size of the JSON text, and is copied into
  // a store.
  const auto filter = accepted(input, 2 * input.size() + kConstantBytes,
                               [&] { return GoBitsAndBloomsFilter::parse_json(input); });
  if (!filter) return false;
  use(*filter);
  return true;
}

}  // namespace bloometry::fuzz
