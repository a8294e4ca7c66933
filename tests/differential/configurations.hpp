#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/filter/filter_spec.hpp"
#include "tests/differential/random.hpp"
#include "tests/differential/tested_filter.hpp"
#include "tests/support/variant_schemes.hpp"

namespace bloometry::test {

/// A filter class, and the function with which a sequence creates filters of the class.
struct Configuration {
  std::string name;  ///< name of the class, for instance "counting, remix, borrowed"
  VariantScheme scheme;
  std::function<std::unique_ptr<TestedFilter>(const FilterSpec& spec, std::uint64_t seed)> make;
  bool is_large = false;  ///< whether filters exceed the caches, so that batches prefetch
};

/// Returns every variant with every scheme behind AnyFilter. Adds users' classes, with fewer
/// schemes, over owned, borrowed and atomic memory. Adds every variant with a size at which batches
/// prefetch.
[[nodiscard]] std::vector<Configuration> all_configurations();

/// A filter's spec, and the number of keys that the filter receives.
struct Shape {
  FilterSpec spec;
  /// Number of keys that may be inserted. The sequence only queries num_keys additional keys.
  std::uint64_t num_keys;
};

/// Draws a size, a number of hashes and parameters that the variant accepts, for a sequence of
/// num_operations operations.
[[nodiscard]] Shape draw_shape(const Configuration& configuration, std::uint64_t num_operations,
                               Random& random);

/// Returns the spec as text, for failure messages.
[[nodiscard]] std::string text_of(const FilterSpec& spec);

}  // namespace bloometry::test
