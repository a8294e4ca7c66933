#include "variants/registry.hpp"

#include <algorithm>
#include <string>
#include <tuple>

#include "core/error.hpp"
#include "variants/all_variants.hpp"

namespace bloometry {
namespace {

template <class F, class Probes>
SchemeInfo scheme_info() {
  using WithScheme = typename F::template WithProbes<Probes>;
  return {.name = Probes::kName,
          .model = WithScheme::kModel,
          .follows_model = Probes::kFollowsModel,
          .can_fold = FoldableFilter<WithScheme>,
          .make = [](const FilterSpec& spec) { return AnyFilter(WithScheme(spec)); }};
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

std::vector<std::string_view> size_axes_of(const VariantDescription& description) {
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

template <class F>
VariantInfo variant_info() {
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

template <class... Fs>
std::vector<VariantInfo> infos_of(VariantList<Fs...>) {
  return {variant_info<Fs>()...};
}

template <class Items>
std::string names_of(const Items& items) {
  std::string names;
  for (const auto& item : items) names.append(names.empty() ? "" : ", ").append(item.name);
  return names;
}

}  // namespace

bool VariantInfo::has_operation(std::string_view operation) const noexcept {
  return std::find(operations.begin(), operations.end(), operation) != operations.end();
}

bool VariantInfo::has_size_axis(std::string_view axis) const noexcept {
  return std::find(size_axes.begin(), size_axes.end(), axis) != size_axes.end();
}

const SchemeInfo& VariantInfo::scheme(std::string_view scheme_name) const {
  for (const SchemeInfo& info : schemes) {
    if (info.name == scheme_name) return info;
  }
  throw ConfigError("probes of " + std::string(name) + " must be one of " + names_of(schemes) +
                    ", got " + std::string(scheme_name));
}

std::span<const VariantInfo> all_variant_infos() {
  static const std::vector<VariantInfo> infos = infos_of(AllVariants{});
  return infos;
}

const VariantInfo& find_variant(std::string_view name) {
  for (const VariantInfo& info : all_variant_infos()) {
    if (info.name == name) return info;
  }
  throw ConfigError("variant must be one of " + names_of(all_variant_infos()) + ", got " +
                    std::string(name));
}

AnyFilter make_filter(std::string_view variant, std::string_view probes, const FilterSpec& spec) {
  return find_variant(variant).scheme(probes).make(spec);
}

}  // namespace bloometry
