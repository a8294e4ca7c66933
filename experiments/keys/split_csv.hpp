#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/keys/key_batch.hpp"

namespace bloometry {

/// Returns the number of bytes in whole rows of the text, up to the last LF outside quotes. The
/// text must start at the beginning of a row. whole_csv_rows() also adds the number of whole rows,
/// including blank rows, to num_rows.
[[nodiscard]] std::size_t whole_csv_rows(std::string_view text, std::uint64_t& num_rows) noexcept;

/// Returns the number of rows that are not blank. `text` must consist of whole rows; the LF of the
/// last row is optional.
[[nodiscard]] std::uint64_t count_csv_rows(std::string_view text) noexcept;

/// Returns the numbers (from 1) of the columns with this name in the first row of `text`.
[[nodiscard]] std::vector<std::uint64_t> csv_columns_named(std::string_view text,
                                                           std::string_view name);

/// Returns the number of bytes of the text's first row, including its line end.
[[nodiscard]] std::size_t csv_row_size(std::string_view text);

/// Extracts the keys of the batch: the fields of its column.
/// @throws ConfigError naming file and row if a row has too few columns, or if a field has
/// characters after its closing quote or lacks a closing quote
void split_csv(KeyBatch& batch, bool with_records);

}  // namespace bloometry
