#include "experiments/examples/checks.hpp"

#include <iostream>

namespace bloometry::examples {

void Checks::require(bool holds, const std::string& claim, const std::string& detail) {
  ++num_checked_;
  if (holds) return;
  ++num_failed_;
  std::cout << "FAILED: " << claim;
  if (!detail.empty()) std::cout << " (" << detail << ")";
  std::cout << "\n" << std::flush;
}

int Checks::summarise() const {
  std::cout << num_checked_ << " checks, " << num_failed_ << " failed\n" << std::flush;
  return num_failed_ == 0 ? 0 : 1;
}

}  // namespace bloometry::examples
