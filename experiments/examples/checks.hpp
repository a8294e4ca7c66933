#pragma once

#include <string>

namespace bloometry::examples {

/// Counts the claims of an example that hold and those that do not.
class Checks {
 public:
  /// Counts the claim. Prints `FAILED: CLAIM (DETAIL)` if it does not hold.
  void require(bool holds, const std::string& claim, const std::string& detail = {});

  /// Requires `actual == expected`.
  template <class Value>
  void require_equal(Value actual, Value expected, const std::string& claim) {
    require(actual == expected, claim,
            "expected " + std::to_string(expected) + ", got " + std::to_string(actual));
  }

  /// Prints how many claims held. Returns the exit code: 0 if all held, otherwise 1.
  [[nodiscard]] int summarise() const;

 private:
  int num_checked_ = 0;
  int num_failed_ = 0;
};

}  // namespace bloometry::examples
