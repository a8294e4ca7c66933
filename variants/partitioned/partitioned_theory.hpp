#pragma once

#include "core/theory/theory.hpp"
#include "variants/partitioned/partitioned_filter.hpp"

namespace bloometry {

/// Partitioned filter, model P: prod_i (1 - (1-1/w_i)^n), exact (theory 1.3).
template <>
struct Theory<PartitionedFilter> {
  static Prediction predict(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static double expected_rate(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static std::optional<theory::FillLaw> fill_law(const FilterSpec& spec, ProbeModel model,
                                                 std::uint64_t num_keys);
};

static_assert(HasTheory<PartitionedFilter>);

}  // namespace bloometry
