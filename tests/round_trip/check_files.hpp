#pragma once

#include <filesystem>
#include <span>

#include "core/any_filter/any_filter.hpp"
#include "core/file/file_header.hpp"

namespace bloometry::test {

struct KeysOfCheck {
  std::span<const Digest> queries;  ///< keys whose answers are compared
  std::span<const Digest> further;  ///< keys that the filter accepts after the first save
};

/// Saves the filter, reads it by every reader, and compares state, answers and the bytes of a
/// second save. Inserts the further keys into the filter and into the loaded copy, and compares
/// again.
/// @throws Failure if a requirement is violated, or the error of the reader
void check_files(AnyFilter& filter, const FileNotes& notes, const KeysOfCheck& keys,
                 const std::filesystem::path& folder);

}  // namespace bloometry::test
