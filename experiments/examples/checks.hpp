#pragma once

#include <string>

namespace bloometry::examples {

/// The claims of an example, and whether they held.
class Checks {
 public:
  /// Prints `FAILED: CLAIM (DETAIL)` unless it holds.
  void require(bool holds, const std::string& claim, const std::string& detail = {});

  /// Requires `actual == expected`.
  template <class Value>
  void require_equal(Value actual, Value expected, const std::string& claim) {
    require(actual == expected, claim,
            "expected " + std::to_string(expected) + ", got " + std::to_string(actual));
  }

  /// Prints how many claims held. Returns the exit code: 0, or 1 if one did not.
  [[nodiscard]] int summarise() const;

 private:
  int num_checked_ = 0;
  int num_failed_ = 0;
};

}  // namespace bloometry::examples
