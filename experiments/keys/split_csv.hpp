#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "experiments/keys/key_batch.hpp"

namespace bloometry {

/// Returns how many bytes of the text are whole rows: up to the last LF that is not inside quotes.
/// The text must start with a row. Sets num_rows to their number, blank rows included.
[[nodiscard]] std::size_t whole_csv_rows(std::string_view text, std::uint64_t& num_rows) noexcept;

/// Returns the number of rows that are not blank. `text` holds whole rows; the LF of the last one
/// is optional.
[[nodiscard]] std::uint64_t count_csv_rows(std::string_view text) noexcept;

/// Returns the number (from 1) of the named column in the first row of `text`; nothing if the row
/// does not have it.
[[nodiscard]] std::optional<std::uint64_t> csv_column_named(std::string_view text,
                                                            std::string_view name);

/// Returns the bytes of the text's first row, its end included.
[[nodiscard]] std::size_t csv_row_size(std::string_view text);

/// Divides the batch into the fields of its column.
/// @throws ConfigError naming file and row if a row has too few columns, or text after a closing
/// quote.
void split_csv(KeyBatch& batch, bool with_records);

}  // namespace bloometry
