#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "variants/scalable/scalable_filter.hpp"

/// Specs and counts that the tests of the scalable filter share.
namespace bloometry::scalable_tests {

inline FilterSpec spec_of(double rate, std::uint64_t initial_capacity, Params params = {}) {
  params.emplace("initial_capacity", static_cast<double>(initial_capacity));
  return {.target_false_positive_rate = rate, .params = std::move(params)};
}

inline const ParamValue kCount = std::string("count");
inline const ParamValue kBlind = std::string("blind");
inline const ParamValue kTight = std::string("tight");
inline const ParamValue kBlocked = std::string("blocked");
inline const ParamValue kLanes = std::string("lanes");
inline const ParamValue kHorizon = std::string("horizon");

template <class F>
void insert_all_of(F& filter, const std::vector<Digest>& keys) {
  for (const Digest& key : keys) filter.insert(key);
}

inline std::uint64_t num_ones_of_stage(const ScalableFilter& filter, std::size_t i,
                                       std::string_view kind) {
  if (kind == "blocked") return filter.blocked_stage_filter(i).state().num_ones;
  if (kind == "lanes") return filter.lanes_stage_filter(i).state().num_ones;
  return filter.stage_filter(i).state().num_ones;
}

}  // namespace bloometry::scalable_tests
