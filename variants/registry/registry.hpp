#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "core/any_filter/variant_info.hpp"
#include "core/contract/filter_spec.hpp"
#include "core/contract/operation.hpp"
#include "core/file/file_header.hpp"

namespace bloometry {

/// Returns the descriptions of all variants, in the order of AllVariants.
[[nodiscard]] std::span<const VariantInfo> all_variant_infos();

/// Returns the description of the variant with the given name.
/// @throws ConfigError if the variant does not exist. The error message lists the existing
/// variants.
[[nodiscard]] const VariantInfo& find_variant(std::string_view name);

/// Returns the names of the variants that have the operation with their default scheme.
[[nodiscard]] std::vector<std::string_view> variants_that_can(Operation operation);

/// Returns the names of the variants whose stored keys can be moved into a larger filter.
[[nodiscard]] std::vector<std::string_view> growable_variants();

/// Builds a filter whose variant and probe scheme are chosen at run time.
/// @throws ConfigError if the variant or the scheme does not exist, or if the filter's constructor
/// throws.
[[nodiscard]] AnyFilter make_filter(std::string_view variant, std::string_view probes,
                                    const FilterSpec& spec);

/// A filter that was read from a file, with the header of the file.
struct LoadedFilter {
  AnyFilter filter;
  FileHeader header;
};

/// Reads a filter of the variant and the probe scheme that the file names (core/file/README.md).
/// @throws ConfigError if the file is not a filter file, is damaged, or names an unknown variant or
/// scheme; the message names the file. Throws MemoryError if memory cannot be allocated, and
/// IoError if the file cannot be read
[[nodiscard]] LoadedFilter load_any(const std::filesystem::path& path);

}  // namespace bloometry
