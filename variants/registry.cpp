#include "variants/registry.hpp"

#include <algorithm>
#include <string>

#include "core/error.hpp"
#include "variants/all_variants.hpp"
#include "variants/variant_info.hpp"

namespace bloometry {
namespace {

template <class... Fs>
std::vector<VariantInfo> infos_of(VariantList<Fs...>) {
  return {make_variant_info<Fs>()...};
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
  throw ConfigError("variant", "must be one of " + names_of(all_variant_infos()) + ", got " +
                    std::string(name));
}

AnyFilter make_filter(std::string_view variant, std::string_view probes, const FilterSpec& spec) {
  return find_variant(variant).scheme(probes).make(spec);
}

}  // namespace bloometry
