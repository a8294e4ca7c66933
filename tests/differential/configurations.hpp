#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/contract/filter_spec.hpp"
#include "tests/differential/random.hpp"
#include "tests/differential/tested_filter.hpp"
#include "tests/support/variant_schemes.hpp"

namespace bloometry::test {

/// A filter class under test, with a function that creates filters of this class.
struct Configuration {
  std::string name;  ///< name of the class, for instance "counting, remix, borrowed"
  VariantScheme scheme;
  std::function<std::unique_ptr<TestedFilter>(const FilterSpec& spec, std::uint64_t seed)> make;
  bool is_large = false;  ///< whether filters exceed the caches, so that batches prefetch
};

/// Returns all tested classes: every variant with every scheme through AnyFilter, and typed classes
/// with fewer schemes over owned, borrowed and atomic memory. Every variant also occurs with a size
/// at which batches prefetch.
[[nodiscard]] std::vector<Configuration> all_configurations();

/// A filter's spec, and the number of keys that the filter receives.
struct Shape {
  FilterSpec spec;
  /// Number of keys that may be inserted. The sequence queries num_keys further keys but does not
  /// insert them.
  std::uint64_t num_keys;
};

/// Sets each declared parameter of the variant to a random value within its bounds, with
/// probability 1/2. Does not set the parameters that the scheme sets.
void draw_params(const VariantScheme& scheme, FilterSpec& spec, Random& random);

/// Draws a size, a number of hashes and parameters that the variant accepts, for a sequence of
/// num_operations operations.
[[nodiscard]] Shape draw_shape(const Configuration& configuration, std::uint64_t num_operations,
                               Random& random);

/// Returns a description of the spec for failure messages.
[[nodiscard]] std::string text_of(const FilterSpec& spec);

}  // namespace bloometry::test
