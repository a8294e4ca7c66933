#pragma once

// Included by variants/<name>/<name>_info.cpp only: it compiles a variant with every scheme.

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/filter/filter.hpp"
#include "core/filter/variant_description.hpp"
#include "core/handle/any_filter.hpp"
#include "core/handle/variant_info.hpp"

namespace bloometry {
namespace detail {

template <class F, class Probes>
SchemeInfo scheme_info() {
  using WithScheme = typename F::template WithProbes<Probes>;
  return {.name = Probes::kName,
          .model = WithScheme::kModel,
          .follows_model = Probes::kFollowsModel,
          .can_fold = FoldableFilter<WithScheme>,
          .make = [](const FilterSpec& spec) { return AnyFilter(WithScheme(spec)); },
          .geometry = &WithScheme::geometry};
}

template <class F, class... Probes>
std::vector<SchemeInfo> schemes_of(std::type_identity<ProbeList<Probes...>>) {
  return {scheme_info<F, Probes>()...};
}

template <class F>
std::vector<std::string_view> operations_of() {
  std::vector<std::string_view> operations = {"insert", "contains"};
  if (ErasableFilter<F>) operations.emplace_back("erase");
  if (MergeableFilter<F>) operations.emplace_back("merge");
  if (IntersectableFilter<F>) operations.emplace_back("intersect");
  if (CountEstimatingFilter<F>) operations.emplace_back("estimate_count");
  if (FoldableFilter<F>) operations.emplace_back("fold");
  if (GrowingFilter<F>) operations.emplace_back("grow");
  if (BorrowingFilter<F>) operations.emplace_back("borrow");
  return operations;
}

inline std::vector<std::string_view> size_axes_of(const VariantDescription& description) {
  if (description.sized_by_rate) return {"target_false_positive_rate"};
  std::vector<std::string_view> axes = {"num_bits", "bits_per_key"};
  if (description.sized_by_counters) axes.emplace_back("num_counters");
  if (description.sized_by_blocks) axes.emplace_back("num_blocks");
  return axes;
}

template <class F>
std::uint64_t num_bits_at(const FilterSpec& spec, std::uint64_t num_keys) {
  if constexpr (GrowingFilter<F>) return F::num_bits_at(spec, num_keys);
  return F::geometry(spec).num_bits();
}

}  // namespace detail

template <class F>
VariantInfo make_variant_info() {
  using namespace detail;
  static_assert(Filter<F>);
  return {.name = F::kName,
          .summary = F::kDescription.summary,
          .paper = F::kDescription.paper,
          .rate_given_state = F::kDescription.rate_given_state,
          .operations = operations_of<F>(),
          .size_axes = size_axes_of(F::kDescription),
          .min_num_hashes = F::kDescription.min_num_hashes,
          .max_num_hashes = F::kDescription.max_num_hashes,
          .params = F::kParams,
          .schemes = schemes_of<F>(std::type_identity<typename F::SupportedProbes>{}),
          .geometry = &F::geometry,
          .num_bits_at = &num_bits_at<F>};
}

}  // namespace bloometry
