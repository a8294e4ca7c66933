#pragma once

#include <cstdint>
#include <string>

#include "experiments/filter_files/file_filter.hpp"

namespace bloometry {

/// Returns the message for a limited filter that has no room for a key, with what the user can do.
/// Erases the copies of the key from a table of copies, to count them. The caller must not write
/// the filter afterwards.
/// @param num_inserted number of keys of the input before the refused key
/// @param is_new whether the filter is not a file yet
[[nodiscard]] std::string full_filter_text(FileFilter& filter, const KeyView& refused,
                                           std::uint64_t num_inserted, bool is_new);

}  // namespace bloometry
