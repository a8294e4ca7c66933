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

const SchemeInfo& VariantInfo::scheme(std::string_view scheme_name) const {
  for (const SchemeInfo& info : schemes) {
    if (info.name == scheme_name) return info;
  }
  throw ConfigError("probes of " + std::string(name) + " must be one of " + names_of(schemes) +
                    ", got '" + std::string(scheme_name) + "'");
}

}  // namespace bloometry
