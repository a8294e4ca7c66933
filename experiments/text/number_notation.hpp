#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The notation of numbers and sizes on the command line, in configs and in lists:
//
//     1000000, 1e6, 1M, 1,000,000    whole numbers; k, M and G are powers of 1000
//     0.01, 1e-6, 0.1 %, 1/1000      real numbers; both parts of a fraction are whole numbers
//     64MB, 64 MiB                   bytes; kB to TB are powers of 1000, KiB to TiB of 1024
//
// Spaces may surround a number and precede its unit. The case of letters does not matter, but b and
// Kb to Tb are rejected, because they may mean bits. Commas separate thousands of whole numbers and
// of sizes, but not of real numbers, in which a comma may mean a decimal point.

namespace bloometry {

/// Largest number up to which a double represents every whole number.
inline constexpr std::uint64_t kMaxExactWhole = std::uint64_t{1} << 53U;

/// Returns the whole number that the text states, exactly, or nullopt if the text is not a whole
/// number without unit in [0, 2^64 - 1].
[[nodiscard]] std::optional<std::uint64_t> read_whole(std::string_view text);

/// Returns the double nearest to the real number that the text states, or nullopt if the text is
/// not a number, or if the number exceeds the range of a double.
[[nodiscard]] std::optional<double> read_real(std::string_view text);

/// A whole number of bytes if the text has a unit of bytes, otherwise a number of bits or cells.
struct WrittenSize {
  std::uint64_t number = 0;
  bool is_bytes = false;
};

/// Returns the size that the text states, exactly, or nullopt if the text is not a whole number in
/// [0, 2^64 - 1].
[[nodiscard]] std::optional<WrittenSize> read_size(std::string_view text);

/// Returns the end of an error message about a text that read_whole() rejected. The result is empty
/// if the allowed values explain the error.
[[nodiscard]] std::string whole_hint(std::string_view text);
/// Returns the end of an error message about a text that read_size() rejected, such as `; Mb may
/// mean bits: write MB for bytes`.
[[nodiscard]] std::string size_hint(std::string_view text);
/// Returns the end of an error message about a text that read_real() rejected.
[[nodiscard]] std::string real_hint(std::string_view text);

/// Returns the end of an error message about a size without a unit of bytes, such as `; write 64MB
/// or 64MiB` for 64M. read_size() must accept the text.
[[nodiscard]] std::string unit_hint(std::string_view text);

/// Splits `a,b` into a and b. Two consecutive commas enclose an empty item.
[[nodiscard]] std::vector<std::string> split_list(std::string_view text);

/// Returns whether commas in a list of numbers seem to separate thousands: an item begins with 0 as
/// in 1,000, or `min` is at least 1000 and the list looks like one number as in 1,500.
/// @param min smallest number that the list can contain
[[nodiscard]] bool has_thousands_separators(std::string_view list, std::uint64_t min = 0);

// Regular expressions for the JSON Schema of configs. Each matches every text that the function
// accepts, and some others.
inline constexpr const char* kWholePattern =
    R"(^[ \t]*-?[0-9.,]+([eE][-+]?[0-9]+)?[ \t]*[kKmMgG]?[ \t]*$)";
inline constexpr const char* kRealPattern =
    R"(^[ \t]*-?[0-9.,]+([eE][-+]?[0-9]+)?[ \t]*[kKmMgG%]?[ \t]*)"
    R"((/[ \t]*[0-9.,]+([eE][-+]?[0-9]+)?[ \t]*[kKmMgG]?[ \t]*)?$)";
inline constexpr const char* kSizePattern =
    R"(^[ \t]*-?[0-9.,]+([eE][-+]?[0-9]+)?[ \t]*([kKmMgG]|[kKmMgGtT]?[iI]?[bB])?[ \t]*$)";

}  // namespace bloometry
