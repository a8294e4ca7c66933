#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/filter/filter_spec.hpp"
#include "core/filter/params.hpp"
#include "core/handle/any_filter.hpp"
#include "core/probe/probe_policy.hpp"

namespace bloometry {

/// The names of all items, separated by ", ": what a message lists.
template <class Items>
std::string names_of(const Items& items) {
  std::string names;
  for (const auto& item : items) names.append(names.empty() ? "" : ", ").append(item.name);
  return names;
}

/// One probe scheme that a variant can be built with.
struct SchemeInfo {
  std::string_view name;
  ProbeModel model;
  bool follows_model;  ///< false: an object of study whose rate departs from the model
  bool can_fold;       ///< a filter with these probes folds
  AnyFilter (*make)(const FilterSpec& spec);
  /// That of a filter with these probes. @throws ConfigError if there is none.
  Geometry (*geometry)(const FilterSpec& spec);
};

/// A variant as data: what the registry reads off its filter class.
struct VariantInfo {
  std::string_view name;
  std::string_view summary;
  std::string_view paper;
  std::string_view rate_given_state;
  std::vector<std::string_view>
      operations;  ///< insert, contains, erase, merge, intersect, estimate_count, fold, grow,
                   ///< borrow: read off the concepts of the filter with its default scheme
  std::vector<std::string_view>
      size_axes;  ///< num_bits, bits_per_key, num_counters, num_blocks, target_false_positive_rate
  unsigned min_num_hashes;  ///< k, where it is not chosen stage by stage
  unsigned max_num_hashes;  ///< the same as the least: k is fixed
  std::span<const ParamInfo> params;
  std::vector<SchemeInfo> schemes;  ///< the default first
  Geometry (*geometry)(const FilterSpec& spec);
  /// Memory of all cells once num_keys keys are in, in bits; of a filter that grows about this.
  std::uint64_t (*num_bits_at)(const FilterSpec& spec, std::uint64_t num_keys);

  [[nodiscard]] bool has_operation(std::string_view operation) const noexcept;
  [[nodiscard]] bool has_size_axis(std::string_view axis) const noexcept;
  /// @throws ConfigError naming the schemes it has.
  [[nodiscard]] const SchemeInfo& scheme(std::string_view name) const;
};

/// What the registry reads off the class of a variant. Defined in make_variant_info.hpp and
/// instantiated in variants/<name>/<name>_info.cpp: there, and nowhere else, the variant is
/// compiled as AnyFilter with every scheme.
template <class F>
[[nodiscard]] VariantInfo make_variant_info();

}  // namespace bloometry
