#include "core/any_filter/variant_info.hpp"

#include <algorithm>
#include <string>

#include "core/error.hpp"

namespace bloometry {

bool VariantInfo::can(Operation operation) const noexcept {
  return std::find(operations.begin(), operations.end(), operation) != operations.end();
}

bool VariantInfo::has_size_axis(SizeAxis axis) const noexcept {
  return std::find(size_axes.begin(), size_axes.end(), axis) != size_axes.end();
}

const SchemeInfo* VariantInfo::find_scheme(std::string_view scheme_name) const noexcept {
  const auto found = std::find_if(schemes.begin(), schemes.end(),
                                  [&](const SchemeInfo& info) { return info.name == scheme_name; });
  return found == schemes.end() ? nullptr : &*found;
}

const SchemeInfo& VariantInfo::scheme(std::string_view scheme_name) const {
  if (const SchemeInfo* const found = find_scheme(scheme_name)) return *found;
  throw ConfigError("probes of " + std::string(name) + " must be one of " + names_of(schemes) +
                    ", got '" + std::string(scheme_name) + "'");
}

std::optional<std::uint64_t> max_capacity_of(const Params& params) {
  if (!params.contains("max_capacity")) return std::nullopt;
  return static_cast<std::uint64_t>(number_param(params, "max_capacity"));
}

}  // namespace bloometry
