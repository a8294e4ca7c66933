#pragma once

#include <string>
#include <vector>

#include "variants/registry/size_request.hpp"

namespace bloometry {

/// A requested filter, as parsed from the command line. Only the variant can interpret the texts of
/// the probe model and of the parameters, so requested_filter() adds them to the request later.
struct PointOptions {
  std::string variant{};  ///< variant or format; for size only with --emit, empty: the best variant
  SizeRequest request{};
  bool has_memory_option = false;     ///< whether --memory, and not -m, gave request.num_bits
  std::string probe_model{};          ///< W, D or P; empty: the model of the first scheme
  std::vector<std::string> params{};  ///< parameters as name=value
  std::string emit{};                 ///< for size: cpp, cmake, guava or parquet; empty: a table
  bool json = false;
};

}  // namespace bloometry
