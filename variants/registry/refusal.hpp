#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "core/theory/expected_rate.hpp"
#include "variants/registry/registry.hpp"

/// The reasons why solve_size refuses a request for one variant. The sources of sizing use them.
namespace bloometry {

/// Exception that states why one variant cannot be sized as requested. The message of the exception
/// becomes SizeAnswer::refusal.
class Refusal : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Returns `value` in decimal, with the smallest number of digits, at least 4, that gives a number
/// above p.
[[nodiscard]] std::string text_above(double value, double p);

/// Returns the floor of the rate of num_keys keys as a phrase.
[[nodiscard]] std::string floor_text(const RateFloor& floor, std::uint64_t num_keys);

}  // namespace bloometry
