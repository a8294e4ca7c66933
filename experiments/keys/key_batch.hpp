#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash/key_view.hpp"

namespace bloometry {

/// A batch of keys from the input, and the values derived from these keys. The program reuses a
/// KeyBatch object for later keys, so that its memory is allocated once. The views in a KeyBatch
/// refer to memory of the same object.
struct KeyBatch {
  // Members that KeyInput sets:
  std::vector<char> buffer{};
  std::string_view bytes{};  ///< whole records in the buffer
  std::string_view names{};  ///< the header row of column names, if requested
  /// Position of the first record in the file, from 1. Records of kLines and integers are not
  /// counted.
  std::uint64_t first_record = 1;
  std::uint64_t column = 0;           ///< column number of the keys, from 1; kCsv only
  const std::string* file = nullptr;  ///< name of the file that contains the records

  // Members that split_records sets. The first num_keys elements of each vector are valid.
  std::size_t num_keys = 0;
  std::vector<KeyView> keys{};
  std::vector<std::string_view> records{};  ///< records with their line ends, if requested
  std::vector<char> decoded{};              ///< keys that differ from the bytes of the input
  std::deque<std::string> texts{};          ///< values of fields that contain doubled quotes

  // Members that the user of the batch sets:
  std::unique_ptr<bool[]> answers{};
  std::size_t num_answers = 0;  ///< allocated length of the array `answers`

  [[nodiscard]] std::span<const KeyView> all_keys() const noexcept {
    return std::span(keys).first(num_keys);
  }

  /// Returns an array with one answer per key. The array uses the memory of the previous answers.
  [[nodiscard]] std::span<bool> room_for_answers() {
    if (num_answers < num_keys) {
      num_answers = num_keys;
      answers = std::make_unique<bool[]>(num_answers);
    }
    return {answers.get(), num_keys};
  }
};

}  // namespace bloometry
