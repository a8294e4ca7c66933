#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "experiments/filters/file_filter.hpp"

namespace bloometry {

/// What a format of another program is made from, or what a file does not carry.
struct ForeignSizes {
  std::optional<std::uint64_t> num_keys{};
  std::optional<double> rate{};
  std::optional<std::uint64_t> num_bits{};
  std::optional<unsigned> num_hashes{};
};

/// The names that --from and --to take besides bloometry.
[[nodiscard]] std::span<const std::string_view> foreign_file_formats() noexcept;

/// An empty filter, sized as the program sizes it for num_keys and rate, or of num_bits and
/// num_hashes where the program lets its users say so.
/// @throws ConfigError
[[nodiscard]] std::unique_ptr<FileFilter> make_foreign_filter(std::string_view format,
                                                              const ForeignSizes& sizes);

/// Reads the bytes of a file. @param sizes m and k of a bitmap, which carries neither.
/// @throws ConfigError that says what is wrong with the bytes, without the file's name
[[nodiscard]] std::unique_ptr<FileFilter> parse_foreign_filter(std::string_view format,
                                                               std::string_view bytes,
                                                               const ForeignSizes& sizes);

/// A filter of Parquet with the blocks of split_block.
[[nodiscard]] std::unique_ptr<FileFilter> parquet_filter_of(std::span<const std::uint64_t> words);

}  // namespace bloometry
