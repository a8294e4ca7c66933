#include "experiments/text/quantity.hpp"

#include <fmt/core.h>
#include <optional>

#include "core/error.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kMaxBytes = kMaxExactWhole / 8;

[[noreturn]] void refuse_text(std::string_view field, std::string_view allowed,
                              std::string_view text, std::string_view hint = {}) {
  throw ConfigError(fmt::format("{} must be {}, got '{}'{}", field, allowed, text, hint));
}

std::uint64_t parse_within(std::string_view field, std::string_view allowed, std::string_view text,
                           std::uint64_t min, std::uint64_t max) {
  const std::uint64_t number = parse_whole(field, allowed, text);
  if (number < min || number > max) refuse_text(field, allowed, text);
  return number;
}

}  // namespace

std::uint64_t parse_positive_count(std::string_view field, std::string_view text) {
  return parse_within(field, "a whole number in [1, 2^53] like 1000000, 1e6 or 1.5M", text, 1,
                      kMaxExactWhole);
}

std::uint64_t parse_whole(std::string_view field, std::string_view allowed, std::string_view text) {
  if (const std::optional<std::uint64_t> number = read_whole(text)) return *number;
  refuse_text(field, allowed, text, whole_hint(text));
}

std::uint64_t parse_count(std::string_view field, std::string_view text) {
  return parse_within(field, "a whole number in [0, 2^53] like 1000000, 1e6 or 1.5M", text, 0,
                      kMaxExactWhole);
}

WrittenSize parse_size(std::string_view field, std::string_view text) {
  constexpr std::string_view kAllowed =
      "a whole number in [1, 2^53] like 1000000, 1e6 or 1.5M, or bytes like 64MiB or 64MB";
  const std::optional<WrittenSize> size = read_size(text);
  if (!size) refuse_text(field, kAllowed, text, size_hint(text));
  const std::uint64_t max = size->is_bytes ? kMaxBytes : kMaxExactWhole;
  if (size->number == 0 || size->number > max) refuse_text(field, kAllowed, text);
  return *size;
}

std::uint64_t parse_bits(std::string_view field, std::string_view text) {
  const WrittenSize size = parse_size(field, text);
  return size.is_bytes ? 8 * size.number : size.number;
}

std::uint64_t parse_bytes(std::string_view field, std::string_view text,
                          std::string_view alternative) {
  constexpr std::string_view kAllowed = "bytes in [1, 2^50] with a unit, like 64MB or 64MiB";
  const std::optional<WrittenSize> size = read_size(text);
  if (!size) refuse_text(field, kAllowed, text, size_hint(text));
  if (!size->is_bytes && size->number > 0) {
    refuse_text(field, kAllowed, text, fmt::format("{}{}", unit_hint(text), alternative));
  }
  if (size->number == 0 || size->number > kMaxBytes) refuse_text(field, kAllowed, text);
  return size->number;
}

double parse_real(std::string_view field, std::string_view allowed, std::string_view text) {
  if (const std::optional<double> number = read_real(text)) return *number;
  refuse_text(field, allowed, text, real_hint(text));
}

std::vector<std::string> split_numbers(std::string_view field, std::string_view text,
                                       std::uint64_t min) {
  if (!has_thousands_separators(text, min)) return split_list(text);
  throw ConfigError(
      fmt::format("{} must be a list without thousands separators, because commas separate its "
                  "numbers, got '{}'; write 1,000,000 as 1000000 or 1e6",
                  field, text));
}

}  // namespace bloometry
