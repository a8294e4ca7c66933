#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "core/contract/filter_state.hpp"
#include "core/file/file_header.hpp"
#include "core/file/mapped_file.hpp"
#include "core/hash/digest.hpp"

namespace bloometry::fuzz {

/// The answers of a mapped filter.
struct MappedAnswers {
  std::vector<bool> are_present;
  FilterState state;
};

/// A function that queries a mapped filter. The file's header names the class of the filter.
using MappedFilter = std::function<MappedAnswers(std::span<const Digest> digests)>;

/// Returns whether filters with the header's variant and probe scheme can be mapped.
[[nodiscard]] bool is_mappable(const FileHeader& header);

/// Returns map<F>(path, checks) for the class F that the header names.
/// @throws as map()
[[nodiscard]] MappedFilter map_any(const FileHeader& header, const std::filesystem::path& path,
                                   MappedFile::Checks checks);

}  // namespace bloometry::fuzz
