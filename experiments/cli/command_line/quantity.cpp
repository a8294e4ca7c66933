#include "experiments/cli/command_line/quantity.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <fmt/core.h>
#include <optional>
#include <string>
#include <system_error>

#include "core/error.hpp"

namespace bloometry {
namespace {

struct Suffix {
  std::string_view text;
  double factor;
  bool is_bytes;
};

constexpr std::array<Suffix, 12> kSuffixes = {{{"KiB", 0x1p10, true},
                                               {"MiB", 0x1p20, true},
                                               {"GiB", 0x1p30, true},
                                               {"TiB", 0x1p40, true},
                                               {"kB", 1e3, true},
                                               {"MB", 1e6, true},
                                               {"GB", 1e9, true},
                                               {"TB", 1e12, true},
                                               {"k", 1e3, false},
                                               {"M", 1e6, false},
                                               {"G", 1e9, false},
                                               {"", 1, false}}};

/// Largest count up to which a double represents every integer.
constexpr double kMaxCount = 0x1p53;

[[noreturn]] void refuse(std::string_view field, std::string_view allowed, std::string_view text) {
  throw ConfigError(fmt::format("{} must be {}, got '{}'", field, allowed, text));
}

struct Quantity {
  double value;
  bool is_bytes;
};

/// Returns the number without the commas between groups of three digits. Returns other texts
/// unchanged.
std::string without_groups(std::string_view number) {
  const std::size_t first = number.find(',');
  bool is_grouped = first >= 1 && first <= 3 && (number.size() - first) % 4 == 0;
  for (std::size_t i = 0; is_grouped && i < number.size(); ++i) {
    const bool is_comma = i >= first && (i - first) % 4 == 0;
    is_grouped = is_comma ? number[i] == ',' : number[i] >= '0' && number[i] <= '9';
  }
  std::string digits(number);
  if (is_grouped) std::erase(digits, ',');
  return digits;
}

std::optional<Quantity> parse_quantity(std::string_view text) {
  for (const Suffix& suffix : kSuffixes) {
    if (!text.ends_with(suffix.text)) continue;
    const std::string number = without_groups(text.substr(0, text.size() - suffix.text.size()));
    double value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc{} || end != number.data() + number.size()) return std::nullopt;
    return Quantity{value * suffix.factor, suffix.is_bytes};
  }
  return std::nullopt;
}

std::uint64_t whole(std::string_view field, std::string_view allowed, std::string_view text,
                    double value) {
  if (!(value >= 0 && value <= kMaxCount) || value != std::floor(value)) {
    refuse(field, allowed, text);
  }
  return static_cast<std::uint64_t>(value);
}

}  // namespace

std::uint64_t parse_positive_count(std::string_view field, std::string_view text) {
  constexpr std::string_view kAllowed = "a whole number in [1, 2^53] like 1000000, 1e6 or 1.5M";
  const std::optional<Quantity> quantity = parse_quantity(text);
  if (!quantity || quantity->is_bytes || quantity->value == 0) refuse(field, kAllowed, text);
  return whole(field, kAllowed, text, quantity->value);
}

std::uint64_t parse_whole(std::string_view field, std::string_view allowed, std::string_view text) {
  const std::optional<Quantity> quantity = parse_quantity(text);
  if (!quantity || quantity->is_bytes) refuse(field, allowed, text);
  return whole(field, allowed, text, quantity->value);
}

std::uint64_t parse_count(std::string_view field, std::string_view text) {
  return parse_whole(field, "a whole number in [0, 2^53] like 1000000, 1e6 or 1.5M", text);
}

std::uint64_t parse_bits(std::string_view field, std::string_view text) {
  constexpr std::string_view kAllowed =
      "a whole number in [1, 2^53] like 1000000, 1e6 or 1.5M, or bytes like 64MiB or 64MB";
  const std::optional<Quantity> quantity = parse_quantity(text);
  if (!quantity || quantity->value == 0) refuse(field, kAllowed, text);
  return whole(field, kAllowed, text, quantity->value * (quantity->is_bytes ? 8 : 1));
}

std::uint64_t parse_bytes(std::string_view field, std::string_view text) {
  constexpr std::string_view kAllowed = "a number of bytes above 0 like 1e9, 500M or 64MiB";
  const std::optional<Quantity> quantity = parse_quantity(text);
  if (!quantity || quantity->value == 0) refuse(field, kAllowed, text);
  return whole(field, kAllowed, text, quantity->value);
}

double parse_real(std::string_view field, std::string_view allowed, std::string_view text) {
  const bool is_percent = text.ends_with('%');
  // A percentage is parsed with an exponent, because 0.7e-2 is the double nearest to 0.007, but 0.7
  // / 100 is not.
  const std::string number =
      is_percent ? fmt::format("{}e-2", text.substr(0, text.size() - 1)) : std::string(text);
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  const bool is_number = error == std::errc{} && end == number.data() + number.size();
  if (!is_number || !std::isfinite(value)) refuse(field, allowed, text);
  return value;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> items;
  for (std::size_t comma = text.find(','); comma != std::string_view::npos;
       comma = text.find(',')) {
    items.emplace_back(text.substr(0, comma));
    text.remove_prefix(comma + 1);
  }
  items.emplace_back(text);
  return items;
}

}  // namespace bloometry
