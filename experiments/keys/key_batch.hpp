#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/key/key_view.hpp"

namespace bloometry {

/// Some keys of a stream, and the values derived from them. A batch is reused for other keys, so
/// that its memory is allocated once. Its views point into it.
struct KeyBatch {
  // Filled by KeyInput:
  std::vector<char> buffer{};
  std::string_view bytes{};           ///< whole records, in the buffer
  std::string_view names{};           ///< the header row of column names, if it is kept
  std::uint64_t first_record = 1;     ///< number of the first in its file; kCsv only
  std::uint64_t column = 0;           ///< of the key, from 1; kCsv only
  const std::string* file = nullptr;  ///< its name

  // Filled by split_records; the first num_keys of each are valid:
  std::size_t num_keys = 0;
  std::vector<KeyView> keys{};
  std::vector<std::string_view> records{};  ///< with their ends, if requested
  std::vector<std::uint64_t> integers{};    ///< keys with their bytes reversed
  std::deque<std::string> texts{};          ///< fields without their quotes

  // Filled by the user of the batch:
  std::unique_ptr<bool[]> answers{};
  std::size_t num_answers = 0;  ///< allocated size of answers

  [[nodiscard]] std::span<const KeyView> all_keys() const noexcept {
    return std::span(keys).first(num_keys);
  }

  /// Returns room for one answer per key. Previous answers are lost.
  [[nodiscard]] std::span<bool> room_for_answers() {
    if (num_answers < num_keys) {
      num_answers = num_keys;
      answers = std::make_unique<bool[]>(num_answers);
    }
    return {answers.get(), num_keys};
  }
};

}  // namespace bloometry
