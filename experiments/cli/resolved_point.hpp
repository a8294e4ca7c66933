#pragma once

#include <cstdint>

#include "core/filter/filter_spec.hpp"
#include "core/probe/probe_policy.hpp"
#include "experiments/cli/commands.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {

/// A completely specified filter for theory.
struct ResolvedPoint {
  const VariantInfo& variant;
  FilterSpec spec{};
  ProbeModel model = ProbeModel::kWithReplacement;
  std::uint64_t num_keys = 0;
  Geometry geometry{};  ///< geometry of the filter, or of its first stage if the filter grows
};

/// Fills in missing values: the model, m from bits per key or from a rate, and the best k.
/// @throws ConfigError naming the option that is missing or impossible.
[[nodiscard]] ResolvedPoint resolve_point(const PointOptions& options);

}  // namespace bloometry
