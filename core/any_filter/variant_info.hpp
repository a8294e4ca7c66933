#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "core/contract/filter_spec.hpp"
#include "core/contract/operation.hpp"
#include "core/contract/params.hpp"
#include "core/contract/size_axis.hpp"
#include "core/contract/variant_description.hpp"
#include "core/contract/window.hpp"
#include "core/file/stored_file.hpp"
#include "core/probe/probe_policy.hpp"

namespace bloometry {

/// Returns the names of all items, separated by commas, for error messages.
template <class Items>
std::string names_of(const Items& items) {
  std::string names;
  for (const auto& item : items) names.append(names.empty() ? "" : ", ").append(item.name);
  return names;
}

/// Description of a probe scheme that a variant supports.
struct SchemeInfo {
  std::string_view name;
  ProbeModel model;
  bool follows_model;              ///< false if the rate differs from that of the model
  bool can_fold;                   ///< true if a filter with the scheme can be folded
  DigestBits digest_bits;          ///< bits of a digest that determine the probes
  std::string_view why_not_exact;  ///< why the model is an approximation, or empty
  AnyFilter (*make)(const FilterSpec& spec);
  AnyFilter (*restore)(StoredFile& file);  ///< calls restored(), and throws its errors
  /// Returns the geometry of a filter with the scheme.
  /// @throws ConfigError if the spec is not valid for the scheme.
  Geometry (*geometry)(const FilterSpec& spec);
};

/// Description of a variant, which the registry derives from the variant's filter class.
struct VariantInfo : VariantDescription {
  std::string_view name;
  std::vector<Operation> operations;  ///< operations of the filter with its default scheme
  std::vector<SizeAxis> size_axes;
  std::span<const ParamInfo> params;
  std::vector<SchemeInfo> schemes;  ///< schemes of the variant, default scheme first
  Geometry (*geometry)(const FilterSpec& spec);
  /// Returns the parameters of a filter with the spec. If the size limits the number of keys, the
  /// result contains the parameters that follow from the size: with them, the number of cells and k
  /// describe the filter.
  /// @throws ConfigError if the spec is not valid.
  Params (*resolved_params)(const FilterSpec& spec);
  /// Returns the geometry after num_keys inserts of keys with different fingerprints. It differs
  /// from `geometry` if the table doubles on its own. For a filter of stages, it is that of the
  /// first stage.
  Geometry (*geometry_at)(const FilterSpec& spec, std::uint64_t num_keys);
  /// Returns the memory of all cells, in bits, after num_keys inserts. The value is approximate if
  /// the filter grows.
  std::uint64_t (*num_bits_at)(const FilterSpec& spec, std::uint64_t num_keys);
  /// Returns the number of keys for which a filter that grows plans its first stage. The result is
  /// absent for other filters.
  std::optional<std::uint64_t> (*initial_capacity)(const FilterSpec& spec);
  /// Returns how long the filter contains a key at least. The result is absent for a filter that
  /// does not forget.
  std::optional<Window> (*window_of)(const FilterSpec& spec);
  bool can_be_grown;  ///< whether the stored keys can be moved into a larger filter

  [[nodiscard]] bool can(Operation operation) const noexcept;
  [[nodiscard]] bool has_size_axis(SizeAxis axis) const noexcept;

  /// Returns the size axis whose unit is one cell.
  [[nodiscard]] SizeAxis cell_axis() const noexcept {
    return sized_by_counters ? SizeAxis::kNumCounters : SizeAxis::kNumBits;
  }

  /// Returns the scheme with the given name, or nullptr.
  [[nodiscard]] const SchemeInfo* find_scheme(std::string_view name) const noexcept;

  /// Returns the scheme with the given name.
  /// @throws ConfigError that lists the variant's schemes if such a scheme does not exist.
  [[nodiscard]] const SchemeInfo& scheme(std::string_view name) const;
};

/// Returns the parameter max_capacity, the number of keys up to which a filter grows, or
/// std::nullopt if it is absent.
[[nodiscard]] std::optional<std::uint64_t> max_capacity_of(const Params& params);

/// Returns the description of a variant, which is derived from the variant's class. The function is
/// defined in make_variant_info.hpp and instantiated in variants/<name>/<name>_info.cpp, so that
/// only this source compiles AnyFilter with every scheme of the variant.
template <class F>
[[nodiscard]] VariantInfo make_variant_info();

}  // namespace bloometry
