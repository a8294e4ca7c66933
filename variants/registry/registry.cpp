#include "variants/registry/registry.hpp"

#include <string>
#include <vector>

#include "core/any_filter/variant_info.hpp"
#include "core/error.hpp"
#include "core/file/stored_file.hpp"
#include "variants/registry/all_variants.hpp"

namespace bloometry {
namespace {

template <class... Fs>
std::vector<VariantInfo> infos_of(VariantList<Fs...>) {
  return {make_variant_info<Fs>()...};
}

}  // namespace

std::span<const VariantInfo> all_variant_infos() {
  static const std::vector<VariantInfo> infos = infos_of(AllVariants{});
  return infos;
}

const VariantInfo& find_variant(std::string_view name) {
  for (const VariantInfo& info : all_variant_infos()) {
    if (info.name == name) return info;
  }
  throw ConfigError("variant", "must be one of " + names_of(all_variant_infos()) + ", got '" +
                                   std::string(name) + "'");
}

std::vector<std::string_view> variants_that_can(Operation operation) {
  std::vector<std::string_view> names;
  for (const VariantInfo& info : all_variant_infos()) {
    if (info.can(operation)) names.push_back(info.name);
  }
  return names;
}

std::vector<std::string_view> growable_variants() {
  std::vector<std::string_view> names;
  for (const VariantInfo& info : all_variant_infos()) {
    if (info.can_be_grown) names.push_back(info.name);
  }
  return names;
}

AnyFilter make_filter(std::string_view variant, std::string_view probes, const FilterSpec& spec) {
  return find_variant(variant).scheme(probes).make(spec);
}

LoadedFilter load_any(const std::filesystem::path& path) {
  StoredFile file(path);
  const SchemeInfo* scheme = nullptr;
  try {
    scheme = &find_variant(file.header().variant).scheme(file.header().probes);
  } catch (const ConfigError& error) {
    file.refuse(error.what());
  }
  return {scheme->restore(file), file.header()};
}

}  // namespace bloometry
