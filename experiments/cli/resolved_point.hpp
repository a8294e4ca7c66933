#pragma once

#include <cstdint>

#include "core/filter/filter_spec.hpp"
#include "core/probe/probe_policy.hpp"
#include "experiments/cli/commands.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {

/// One filter that theory is asked about, with nothing left open.
struct ResolvedPoint {
  const VariantInfo& variant;
  FilterSpec spec{};
  ProbeModel model = ProbeModel::kWithReplacement;
  std::uint64_t num_keys = 0;
  Geometry geometry{};  ///< of a filter that grows: its first stage
};

/// Works out what the options leave open: the model, m from bits per key or a rate, the best k.
/// @throws ConfigError naming the option that is missing or impossible.
[[nodiscard]] ResolvedPoint resolve_point(const PointOptions& options);

}  // namespace bloometry
