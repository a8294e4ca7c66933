#include "experiments/text/number_notation.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/core.h>
#include <limits>
#include <system_error>

namespace bloometry {
namespace {

constexpr std::string_view kDigits = "0123456789";

struct NumberUnit {
  std::string_view name;  // in lower case
  int exponent = 0;       // power of 10
  unsigned binary_exponent = 0;
  bool is_bytes = false;
  bool is_percent = false;
};

constexpr std::array<NumberUnit, 14> kUnits = {
    {{.name = ""},
     {.name = "k", .exponent = 3},
     {.name = "m", .exponent = 6},
     {.name = "g", .exponent = 9},
     {.name = "%", .exponent = -2, .is_percent = true},
     {.name = "b", .is_bytes = true},
     {.name = "kb", .exponent = 3, .is_bytes = true},
     {.name = "mb", .exponent = 6, .is_bytes = true},
     {.name = "gb", .exponent = 9, .is_bytes = true},
     {.name = "tb", .exponent = 12, .is_bytes = true},
     {.name = "kib", .binary_exponent = 10, .is_bytes = true},
     {.name = "mib", .binary_exponent = 20, .is_bytes = true},
     {.name = "gib", .binary_exponent = 30, .is_bytes = true},
     {.name = "tib", .binary_exponent = 40, .is_bytes = true}}};

/// The number digits * 10^exponent * 2^binary_exponent as the text states it.
struct Quantity {
  bool is_negative = false;
  bool has_groups = false;  // 1,000
  NumberUnit unit{};
  std::string digits{};  // without leading zeros
  std::int64_t exponent = 0;
};

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

char upper(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

/// Returns the number of bytes of the number at the start of the text, which precedes the unit.
std::size_t number_length(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789,."), text.size());
  if (end == text.size() || lower(text[end]) != 'e') return end;
  const std::size_t sign_length =
      text.substr(end + 1).starts_with('+') || text.substr(end + 1).starts_with('-') ? 1 : 0;
  const std::size_t digits = end + 1 + sign_length;
  const std::size_t stop = std::min(text.find_first_not_of(kDigits, digits), text.size());
  return stop > digits ? stop : end;
}

std::string_view unit_of(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('-')) text.remove_prefix(1);
  return trimmed(text.substr(number_length(text)));
}

/// Returns whether the unit may mean bits: b, or a capital letter before a small b as in Mb.
bool may_mean_bits(std::string_view unit) {
  return unit == "b" || (unit.size() == 2 && unit[0] != lower(unit[0]) && unit[1] == 'b');
}

const NumberUnit* find_unit(std::string_view name) {
  if (may_mean_bits(name)) return nullptr;
  for (const NumberUnit& unit : kUnits) {
    if (std::equal(name.begin(), name.end(), unit.name.begin(), unit.name.end(),
                   [](char a, char b) { return lower(a) == b; })) {
      return &unit;
    }
  }
  return nullptr;
}

/// Returns whether commas divide the digits into groups of three, as in 1,000,000.
bool is_grouped(std::string_view digits) {
  const std::size_t first = digits.find(',');
  if (first < 1 || first > 3 || digits[0] == '0' || (digits.size() - first) % 4 != 0) return false;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const bool is_comma = i >= first && (i - first) % 4 == 0;
    if (is_comma ? digits[i] != ',' : !is_digit(digits[i])) return false;
  }
  return true;
}

/// Returns the exponent. One that exceeds 32 bits is replaced by a number of the same sign that
/// also exceeds every range.
std::int64_t exponent_of(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  int exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error == std::errc{}) return exponent;
  return text.starts_with('-') ? -1'000'000'000 : 1'000'000'000;
}

/// Sets the digits and the exponent. Returns false if the text is not a number.
bool take_number(std::string_view text, Quantity& quantity) {
  if (const std::size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
    quantity.exponent += exponent_of(text.substr(e + 1));
    text = text.substr(0, e);
  }
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string whole(text.substr(0, point));
  const std::string_view fraction = text.substr(std::min(point + 1, text.size()));
  if (whole.find(',') != std::string::npos) {
    if (!is_grouped(whole)) return false;
    quantity.has_groups = true;
    std::erase(whole, ',');
  }
  if (whole.size() + fraction.size() == 0) return false;
  if (fraction.find_first_not_of(kDigits) != std::string_view::npos) return false;
  quantity.digits = whole.append(fraction);
  quantity.digits.erase(0, quantity.digits.find_first_not_of('0'));
  quantity.exponent -= static_cast<std::int64_t>(fraction.size());
  return true;
}

std::optional<Quantity> parse_quantity(std::string_view text) {
  Quantity quantity;
  text = trimmed(text);
  if (text.starts_with('-')) {
    quantity.is_negative = true;
    text.remove_prefix(1);
  }
  const std::size_t length = number_length(text);
  const NumberUnit* const unit = find_unit(trimmed(text.substr(length)));
  if (unit == nullptr || !take_number(text.substr(0, length), quantity)) return std::nullopt;
  quantity.unit = *unit;
  quantity.exponent += unit->exponent;
  return quantity;
}

/// Multiplies the value. Returns false if the product exceeds 64 bits.
bool multiply(std::uint64_t& value, std::uint64_t factor) {
  if (value > std::numeric_limits<std::uint64_t>::max() / factor) return false;
  value *= factor;
  return true;
}

/// Returns the value in exact arithmetic, or nullopt if it is not a whole number below 2^64.
std::optional<std::uint64_t> whole_value(const Quantity& quantity) {
  std::string_view digits = quantity.digits;
  if (digits.empty()) return 0;
  if (quantity.is_negative) return std::nullopt;
  const std::size_t num_zeros = digits.size() - 1 - digits.find_last_not_of('0');
  digits.remove_suffix(num_zeros);
  std::int64_t exponent = quantity.exponent + static_cast<std::int64_t>(num_zeros);
  unsigned binary_exponent = quantity.unit.binary_exponent;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{}) return std::nullopt;
  for (; exponent < 0; ++exponent) {  // divides by 5 and by 2
    if (value % 5 != 0 || (binary_exponent == 0 && value % 2 != 0)) return std::nullopt;
    value /= binary_exponent == 0 ? 10 : 5;
    if (binary_exponent > 0) --binary_exponent;
  }
  for (; exponent > 0; --exponent) {
    if (!multiply(value, 10)) return std::nullopt;
  }
  if (!multiply(value, std::uint64_t{1} << binary_exponent)) return std::nullopt;
  return value;
}

/// Returns the double nearest to the value, or nullopt if it is out of range. The unit must not be
/// one of bytes.
std::optional<double> real_value(const Quantity& quantity) {
  if (quantity.digits.empty()) return 0;
  const std::string number =
      fmt::format("{}{}e{}", quantity.is_negative ? "-" : "", quantity.digits, quantity.exponent);
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc{}) return std::nullopt;
  return value;
}

/// Returns the quotient of two whole numbers up to 2^53, which the division of doubles rounds to
/// the nearest double.
std::optional<double> fraction_value(std::string_view numerator, std::string_view denominator) {
  const std::optional<std::uint64_t> above = read_whole(numerator);
  const std::optional<std::uint64_t> below = read_whole(denominator);
  if (!above || !below || *below == 0 || std::max(*above, *below) > kMaxExactWhole)
    return std::nullopt;
  return static_cast<double>(*above) / static_cast<double>(*below);
}

/// Returns whether the text is a number that is closer to 0 than any double.
bool is_below_doubles(std::string_view text) {
  const std::optional<Quantity> quantity = parse_quantity(text);
  if (!quantity || quantity->digits.empty() || quantity->unit.is_bytes) return false;
  const bool is_below_1 =
      quantity->exponent + static_cast<std::int64_t>(quantity->digits.size()) <= 0;
  return is_below_1 && !real_value(*quantity);
}

}  // namespace

std::optional<std::uint64_t> read_whole(std::string_view text) {
  const std::optional<Quantity> quantity = parse_quantity(text);
  if (!quantity || quantity->unit.is_bytes || quantity->unit.is_percent) return std::nullopt;
  return whole_value(*quantity);
}

std::optional<double> read_real(std::string_view text) {
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    return fraction_value(text.substr(0, slash), text.substr(slash + 1));
  }
  const std::optional<Quantity> quantity = parse_quantity(text);
  if (!quantity || quantity->unit.is_bytes || quantity->has_groups) return std::nullopt;
  return real_value(*quantity);
}

std::optional<WrittenSize> read_size(std::string_view text) {
  const std::optional<Quantity> quantity = parse_quantity(text);
  if (!quantity || quantity->unit.is_percent) return std::nullopt;
  const std::optional<std::uint64_t> number = whole_value(*quantity);
  if (!number) return std::nullopt;
  return WrittenSize{.number = *number, .is_bytes = quantity->unit.is_bytes};
}

std::string whole_hint(std::string_view text) {
  text = trimmed(text);
  const std::string_view number = text.substr(0, number_length(text));
  const bool has_comma = number.find(',') != std::string_view::npos;
  if (!has_comma || is_grouped(number.substr(0, number.find_first_of(".eE")))) return {};
  return "; commas must separate groups of three digits of a whole number, as in 1,000,000";
}

std::string size_hint(std::string_view text) {
  const std::string_view unit = unit_of(text);
  if (!may_mean_bits(unit)) return whole_hint(text);
  const std::string_view prefix = unit.substr(0, unit.size() - 1);
  return fmt::format("; {} may mean bits: write {}B for bytes", unit, prefix == "K" ? "k" : prefix);
}

std::string real_hint(std::string_view text) {
  if (text.find('/') != std::string_view::npos) {
    return "; both parts of a fraction must be whole numbers, the second at least 1, as in 1/1000";
  }
  if (text.find(',') != std::string_view::npos) {
    return "; write a real number without commas, as in 0.5 or 9600";
  }
  return is_below_doubles(text) ? "; a number must be 0 or at least 4.9e-324" : whole_hint(text);
}

std::string unit_hint(std::string_view text) {
  text = trimmed(text);
  const std::string_view unit = unit_of(text);
  if (unit.empty()) return fmt::format("; write {}B", text);
  const std::string_view number = trimmed(text.substr(0, text.size() - unit.size()));
  const char letter = upper(unit.front());
  return fmt::format("; write {}{}B or {}{}iB", number, letter == 'K' ? 'k' : letter, number,
                     letter);
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

bool has_thousands_separators(std::string_view list, std::uint64_t min) {
  if (min >= 1000 && is_grouped(trimmed(list))) return true;
  const std::vector<std::string> items = split_list(list);
  return std::any_of(items.begin() + 1, items.end(), [](std::string_view item) {
    item = trimmed(item);
    return item.size() > 1 && item[0] == '0' && is_digit(item[1]);
  });
}

}  // namespace bloometry
