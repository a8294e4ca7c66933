#include "variants/registry/refusal.hpp"

#include <array>
#include <charconv>

#include "core/text.hpp"

namespace bloometry {

std::string text_above(double value, double p) {
  for (int digits = 4; digits < 17; ++digits) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   std::chars_format::general, digits)
                         .ptr;
    double shown = 0;
    std::from_chars(buffer.data(), end, shown);
    if (shown > p) return {buffer.data(), end};
  }
  return shortest_text(value);
}

std::string floor_text(const RateFloor& floor, std::uint64_t num_keys) {
  return "the floor of its rate with " + std::to_string(num_keys) +
         (num_keys == 1 ? " key" : " keys") + ", the probability " + text_above(floor.rate, 0) +
         " that a query has the digest bits of one of them. The floor is lowered by " +
         floor.lowered_by;
}

}  // namespace bloometry
