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

/// A batch of a stream's keys, and the values derived from them. A batch is reused for later keys,
/// so that its memory is allocated once. Its views refer to its own memory.
struct KeyBatch {
  // Set by KeyInput:
  std::vector<char> buffer{};
  std::string_view bytes{};           ///< whole records; refers to the buffer
  std::string_view names{};           ///< the header row of column names, if it is kept
  std::uint64_t first_record = 1;     ///< number of the first record in its file; kCsv only
  std::uint64_t column = 0;           ///< number of the key's column, from 1; kCsv only
  const std::string* file = nullptr;  ///< name of the file

  // Set by split_records. The first num_keys elements of each are valid.
  std::size_t num_keys = 0;
  std::vector<KeyView> keys{};
  std::vector<std::string_view> records{};  ///< records with their line ends, if requested
  std::vector<std::uint64_t> integers{};    ///< keys with their bytes reversed
  std::deque<std::string> texts{};          ///< fields without their quotes

  // Set by the user of the batch:
  std::unique_ptr<bool[]> answers{};
  std::size_t num_answers = 0;  ///< allocated size of answers

  [[nodiscard]] std::span<const KeyView> all_keys() const noexcept {
    return std::span(keys).first(num_keys);
  }

  /// Returns space for one answer per key. Overwrites the previous answers.
  [[nodiscard]] std::span<bool> room_for_answers() {
    if (num_answers < num_keys) {
      num_answers = num_keys;
      answers = std::make_unique<bool[]>(num_answers);
    }
    return {answers.get(), num_keys};
  }
};

}  // namespace bloometry
