#pragma once

#include <cstdint>

#include "core/filter/filter_spec.hpp"
#include "core/probe/probe_policy.hpp"
#include "experiments/cli/commands.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {

/// A completely specified filter for which theory can predict the rate.
struct ResolvedPoint {
  const VariantInfo& variant;
  FilterSpec spec{};
  ProbeModel model = ProbeModel::kWithReplacement;
  std::uint64_t num_keys = 0;
  Geometry geometry{};  ///< geometry of the filter, or of the first stage of a filter that grows
};

/// Returns the filter with all missing values: the probe model, m from bits per key or from a rate,
/// and the best k.
/// @throws ConfigError naming the option that is missing or impossible.
[[nodiscard]] ResolvedPoint resolve_point(const PointOptions& options);

}  // namespace bloometry
