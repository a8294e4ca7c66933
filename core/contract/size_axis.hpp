#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/contract/filter_spec.hpp"

namespace bloometry {

/// Members of FilterSpec that can give the size of a filter, in the order of kSizeAxes.
enum class SizeAxis { kNumBits, kBitsPerKey, kNumCounters, kNumBlocks, kRate };

/// Description of a member of FilterSpec that can give the size of a filter. Counts above 2^53 are
/// exact too, because integer members are not converted to double.
struct SizeAxisInfo {
  using Member =
      std::variant<std::optional<std::uint64_t> FilterSpec::*, std::optional<double> FilterSpec::*>;

  SizeAxis axis;
  std::string_view name;  ///< name of the axis in C++, JSON and rows
  Member member;
  std::string_view meaning;

  [[nodiscard]] bool is_integer() const noexcept { return member.index() == 0; }
};

inline constexpr std::array<SizeAxisInfo, 5> kSizeAxes = {{
    {SizeAxis::kNumBits, "num_bits", &FilterSpec::num_bits,
     "Memory in bits; filters with blocks round up to whole blocks"},
    {SizeAxis::kBitsPerKey, "bits_per_key", &FilterSpec::bits_per_key,
     "Memory in bits per key of `capacity`, else of num_keys"},
    {SizeAxis::kNumCounters, "num_counters", &FilterSpec::num_counters, "m of a counting filter"},
    {SizeAxis::kNumBlocks, "num_blocks", &FilterSpec::num_blocks,
     "Number of blocks of a filter with blocks; the variant determines the block size"},
    {SizeAxis::kRate, "target_false_positive_rate", &FilterSpec::target_false_positive_rate,
     "Rate that a filter keeps while it grows"},
}};

[[nodiscard]] constexpr const SizeAxisInfo& info_of(SizeAxis axis) noexcept {
  return kSizeAxes[static_cast<std::size_t>(axis)];
}

[[nodiscard]] constexpr std::string_view name_of(SizeAxis axis) noexcept {
  return info_of(axis).name;
}

/// Returns the axis with the given name, or std::nullopt if the axis does not exist.
[[nodiscard]] std::optional<SizeAxis> find_size_axis(std::string_view name) noexcept;

/// Sets the member of the spec for the axis. The value for an integer axis must be a whole number.
template <class Value>
void set_size(FilterSpec& spec, SizeAxis axis, Value value) {
  std::visit(
      [&](auto member) {
        using Target = typename std::remove_reference_t<decltype(spec.*member)>::value_type;
        spec.*member = static_cast<Target>(value);
      },
      info_of(axis).member);
}

/// Returns the member of the spec for the axis, rounded to a double, or std::nullopt if the member
/// is absent.
[[nodiscard]] std::optional<double> size_on(const FilterSpec& spec, SizeAxis axis) noexcept;

/// Returns the member of the spec for the axis as a decimal number with all digits, or an empty
/// string if the member is absent.
[[nodiscard]] std::string size_text_on(const FilterSpec& spec, SizeAxis axis);

/// Returns the axes whose members the spec contains, in the order of kSizeAxes.
[[nodiscard]] std::vector<SizeAxis> size_axes_given(const FilterSpec& spec);

}  // namespace bloometry
