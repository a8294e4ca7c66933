#include "core/contract/size_axis.hpp"

#include "core/text.hpp"

namespace bloometry {

std::optional<SizeAxis> find_size_axis(std::string_view name) noexcept {
  for (const SizeAxisInfo& info : kSizeAxes) {
    if (info.name == name) return info.axis;
  }
  return std::nullopt;
}

std::optional<double> size_on(const FilterSpec& spec, SizeAxis axis) noexcept {
  return std::visit([&](auto member) { return std::optional<double>(spec.*member); },
                    info_of(axis).member);
}

std::string size_text_on(const FilterSpec& spec, SizeAxis axis) {
  if (const auto* count = std::get_if<0>(&info_of(axis).member)) {
    return spec.**count ? std::to_string(*(spec.**count)) : std::string();
  }
  const std::optional<double> real = size_on(spec, axis);
  return real ? shortest_text(*real) : std::string();
}

std::vector<SizeAxis> size_axes_given(const FilterSpec& spec) {
  std::vector<SizeAxis> axes;
  for (const SizeAxisInfo& info : kSizeAxes) {
    if (size_on(spec, info.axis)) axes.push_back(info.axis);
  }
  return axes;
}

}  // namespace bloometry
