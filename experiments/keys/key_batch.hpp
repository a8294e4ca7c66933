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

/// Some keys of a stream, and what is made of them on the way. It is used again for other keys, so
/// that its memory is taken once; views point into it.
struct KeyBatch {
  // As KeyInput reads it.
  std::vector<char> buffer{};
  std::string_view bytes{};  ///< whole records, in the buffer
  std::string_view names{};  ///< the row of column names in front of them, if it is to be kept
  std::uint64_t first_record = 1;     ///< number of the first in its file; kCsv only
  std::uint64_t column = 0;           ///< of the key, from 1; kCsv only
  const std::string* file = nullptr;  ///< its name

  // As split_records cuts it: the first num_keys of each.
  std::size_t num_keys = 0;
  std::vector<KeyView> keys{};
  std::vector<std::string_view> records{};  ///< with their ends, if asked for
  std::vector<std::uint64_t> integers{};    ///< keys that were turned around
  std::deque<std::string> texts{};          ///< fields without their quotes

  // As its user fills it.
  std::unique_ptr<bool[]> answers{};
  std::size_t num_answers = 0;  ///< that there is room for

  [[nodiscard]] std::span<const KeyView> all_keys() const noexcept {
    return std::span(keys).first(num_keys);
  }

  /// Room for an answer for each key. Answers that were there before are lost.
  [[nodiscard]] std::span<bool> room_for_answers() {
    if (num_answers < num_keys) {
      num_answers = num_keys;
      answers = std::make_unique<bool[]>(num_answers);
    }
    return {answers.get(), num_keys};
  }
};

}  // namespace bloometry
