#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/contract/filter_state.hpp"
#include "core/contract/params.hpp"
#include "core/file/mapped_file.hpp"
#include "core/hash/digest.hpp"

namespace bloometry::test {

/// The answers of a mapped filter.
struct MappedAnswers {
  std::vector<bool> are_present{};         ///< answers of single queries
  std::uint64_t num_positives = 0;         ///< answer of one batch of the same queries
  std::optional<double> estimate_count{};  ///< no value if the filter cannot estimate
  FilterState state{};
  Params params{};  ///< parameters in the filter's image
};

/// A function that queries a mapped filter. A mapped filter is read-only, so AnyFilter cannot
/// contain it.
using MappedFilter = std::function<MappedAnswers(std::span<const Digest> digests)>;

/// Returns whether a variant and a probe scheme of these names exist.
[[nodiscard]] bool is_mappable(std::string_view variant, std::string_view probes);

/// Returns map<F>(path, checks) for the class F of the variant and the scheme. The classes of all
/// variants and schemes are compiled once for all tests.
/// @throws as map()
[[nodiscard]] MappedFilter map_any(std::string_view variant, std::string_view probes,
                                   const std::filesystem::path& path, MappedFile::Checks checks);

}  // namespace bloometry::test
