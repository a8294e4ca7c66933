#pragma once

// Include this header only in variants/<name>/<name>_info.cpp, because it compiles a variant with
// every scheme.

#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "core/any_filter/variant_info.hpp"
#include "core/contract/filter.hpp"
#include "core/contract/variant_description.hpp"

namespace bloometry {
namespace detail {

template <class F, class Probes>
SchemeInfo scheme_info() {
  using WithScheme = typename F::template WithProbes<Probes>;
  return {.name = Probes::kName,
          .model = WithScheme::kModel,
          .follows_model = Probes::kFollowsModel,
          .can_fold = FoldableFilter<WithScheme>,
          .digest_bits = kDigestBits<Probes>,
          .why_not_exact = kWhyNotExact<Probes>,
          .make = [](const FilterSpec& spec) { return AnyFilter(WithScheme(spec)); },
          .restore = [](StoredFile& file) { return AnyFilter(restored<WithScheme>(file)); },
          .geometry = &WithScheme::geometry};
}

template <class F, class... Probes>
std::vector<SchemeInfo> schemes_of(std::type_identity<ProbeList<Probes...>>) {
  return {scheme_info<F, Probes>()...};
}

template <class F>
std::vector<Operation> operations_of() {
  std::vector<Operation> operations = {Operation::kInsert, Operation::kContains};
  if (ErasableFilter<F>) operations.push_back(Operation::kErase);
  if (MergeableFilter<F>) operations.push_back(Operation::kMerge);
  if (IntersectableFilter<F>) operations.push_back(Operation::kIntersect);
  if (CountEstimatingFilter<F>) operations.push_back(Operation::kEstimateCount);
  if (FoldableFilter<F>) operations.push_back(Operation::kFold);
  if (GrowingFilter<F>) operations.push_back(Operation::kGrow);
  if (ForgettingFilter<F>) operations.push_back(Operation::kTick);
  if (BorrowingFilter<F>) operations.push_back(Operation::kBorrow);
  return operations;
}

template <class F>
std::vector<SizeAxis> size_axes_of() {
  if (GrowingFilter<F>) return {SizeAxis::kRate};
  std::vector<SizeAxis> axes = {SizeAxis::kNumBits, SizeAxis::kBitsPerKey};
  if (F::kDescription.sized_by_counters) axes.push_back(SizeAxis::kNumCounters);
  if (F::kDescription.sized_by_blocks) axes.push_back(SizeAxis::kNumBlocks);
  return axes;
}

template <class F>
Params resolved_params(const FilterSpec& spec) {
  if constexpr (requires { F::resolved_params(spec); }) {
    return F::resolved_params(spec);
  } else {
    return resolve_params(F::kName, F::kParams, spec.params);
  }
}

template <class F>
Geometry geometry_at(const FilterSpec& spec, std::uint64_t num_keys) {
  if constexpr (GrowableFilter<F>) return F::geometry_at(spec, num_keys);
  return F::geometry(spec);
}

template <class F>
std::uint64_t num_bits_at(const FilterSpec& spec, std::uint64_t num_keys) {
  if constexpr (GrowingFilter<F>) return F::num_bits_at(spec, num_keys);
  return geometry_at<F>(spec, num_keys).num_bits();
}

template <class F>
std::optional<std::uint64_t> initial_capacity(const FilterSpec& spec) {
  if constexpr (GrowingFilter<F>) return F::initial_capacity(spec);
  return std::nullopt;
}

template <class F>
std::optional<Window> window_of(const FilterSpec& spec) {
  if constexpr (ForgettingFilter<F>) return F::window_of(spec);
  return std::nullopt;
}

}  // namespace detail

template <class F>
VariantInfo make_variant_info() {
  using namespace detail;
  static_assert(Filter<F>);
  static_assert(F::kDescription.is_limited == LimitedFilter<F>,
                "a filter with try_insert needs .is_limited = true in kDescription");
  static_assert(F::kDescription.probe_passes != ProbePasses::kUnstated,
                "a filter needs kDescription.probe_passes: ProbePasses::kIfNonzero or kByOwnRule");
  return {F::kDescription,      F::kName,
          operations_of<F>(),   size_axes_of<F>(),
          F::kParams,           schemes_of<F>(std::type_identity<typename F::SupportedProbes>{}),
          &F::geometry,         &resolved_params<F>,
          &geometry_at<F>,      &num_bits_at<F>,
          &initial_capacity<F>, &window_of<F>,
          GrowableFilter<F>};
}

}  // namespace bloometry
