#pragma once

#include <fmt/core.h>
#include <string>

namespace bloometry::examples {

/// Counts the true and the false claims of an example.
class Checks {
 public:
  /// Counts the claim, and prints `FAILED: CLAIM (DETAIL)` for a false claim.
  void require(bool holds, const std::string& claim, const std::string& detail = {});

  /// Counts the claim that `actual` equals `expected`.
  template <class Value>
  void require_equal(Value actual, Value expected, const std::string& claim) {
    require(actual == expected, claim, fmt::format("expected {}, got {}", expected, actual));
  }

  /// Prints the number of all claims and of false claims. Returns the exit code: 0 if all claims
  /// were true, otherwise 1.
  [[nodiscard]] int summarise() const;

 private:
  int num_checked_ = 0;
  int num_failed_ = 0;
};

}  // namespace bloometry::examples
