#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "experiments/keys/key_batch.hpp"

namespace bloometry {

/// Returns how many bytes of the text are whole rows, given that it starts with a row: up to the
/// last LF that is not inside quotes. Counts them, blank ones included.
[[nodiscard]] std::size_t whole_csv_rows(std::string_view text, std::uint64_t& num_rows) noexcept;

/// Number of rows that are not blank; `text` holds whole rows, the last with or without its LF.
[[nodiscard]] std::uint64_t count_csv_rows(std::string_view text) noexcept;

/// Returns the number from 1 of the column of that name in the row that `text` starts with; absent
/// if the row has none.
[[nodiscard]] std::optional<std::uint64_t> csv_column_named(std::string_view text,
                                                            std::string_view name);

/// Bytes of the row that the text starts with, its end included.
[[nodiscard]] std::size_t csv_row_size(std::string_view text);

/// Cuts the batch into the fields of its column.
/// @throws ConfigError naming file and row if a row has too few columns, or text behind a closing
/// quote.
void split_csv(KeyBatch& batch, bool with_records);

}  // namespace bloometry
