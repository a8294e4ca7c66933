#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/workload/synthetic_keys.hpp"

namespace bloometry {

/// Returns the names of the sources of integer keys: random, sequential and the patterns of
/// key_patterns.hpp.
[[nodiscard]] std::vector<std::string> integer_sources();

/// The integer keys of a source. Configs select a source by name. The source maps item numbers
/// (synthetic_keys.hpp) to keys. Distinct items have distinct keys.
class IntegerSource {
 public:
  /// @param seed seed that selects the bijection of random keys; the other sources do not depend on
  /// the seed
  /// @throws ConfigError naming `keys` unless source is one of integer_sources()
  IntegerSource(std::string_view source, std::uint64_t seed);

  [[nodiscard]] bool is_random() const noexcept { return pattern_ == nullptr; }

  [[nodiscard]] std::uint64_t value(std::uint64_t item) const noexcept {
    return is_random() ? random_.value(item) : pattern_(item);
  }

 private:
  RandomKeys random_;
  std::uint64_t (*pattern_)(std::uint64_t item);  // null: random_
};

}  // namespace bloometry
