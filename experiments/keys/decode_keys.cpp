#include "experiments/keys/decode_keys.hpp"

#include <array>
#include <cstdint>
#include <fmt/core.h>
#include <string_view>

#include "core/error.hpp"
#include "experiments/text/printable.hpp"
#include "experiments/text/utf8.hpp"

namespace bloometry {
namespace {

constexpr std::uint8_t kNotADigit = 0xff;

using DigitTable = std::array<std::uint8_t, 256>;

constexpr DigitTable digit_table(std::string_view digits) {
  DigitTable table{};
  table.fill(kNotADigit);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    table[static_cast<unsigned char>(digits[i])] = static_cast<std::uint8_t>(i);
  }
  return table;
}

constexpr DigitTable hex_digits() {
  DigitTable table = digit_table("0123456789abcdef");
  for (char digit = 'A'; digit <= 'F'; ++digit) {
    table[static_cast<unsigned char>(digit)] = static_cast<std::uint8_t>(digit - 'A' + 10);
  }
  return table;
}

constexpr DigitTable base64_digits() {
  DigitTable table =
      digit_table("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
  table['-'] = table['+'];  // the alphabet of URLs, RFC 4648, section 5
  table['_'] = table['/'];
  return table;
}

/// The reason why a key is not well-formed, such as `must be ...`. It is empty for a good key.
using Fault = const char*;

Fault append_hex(std::string_view digits, char*& to) {
  static constexpr DigitTable kDigits = hex_digits();
  if (digits.size() % 2 != 0) return "must have an even number of hexadecimal digits";
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const std::uint8_t high = kDigits[static_cast<unsigned char>(digits[i])];
    const std::uint8_t low = kDigits[static_cast<unsigned char>(digits[i + 1])];
    if (high == kNotADigit || low == kNotADigit) {
      return "must consist of hexadecimal digits, without 0x and spaces";
    }
    *to++ = static_cast<char>(high << 4U | low);
  }
  return nullptr;
}

/// Removes the padding. Returns whether the padding is complete or missing.
bool remove_padding(std::string_view& digits) {
  const std::size_t size = digits.size();
  while (digits.ends_with('=') && size - digits.size() < 2) digits.remove_suffix(1);
  return digits.size() == size || size % 4 == 0;
}

Fault append_base64(std::string_view digits, char*& to) {
  static constexpr DigitTable kDigits = base64_digits();
  if (!remove_padding(digits)) return "must have complete or no padding (=) of base64";
  if (digits.size() % 4 == 1) return "must have a number of base64 digits that encodes whole bytes";
  std::uint32_t bits = 0;
  unsigned num_bits = 0;
  for (const char digit : digits) {
    const std::uint8_t value = kDigits[static_cast<unsigned char>(digit)];
    if (value == kNotADigit) return "must consist of base64 digits (A-Z a-z 0-9 + / or - _)";
    bits = bits << 6U | value;
    num_bits += 6;
    if (num_bits < 8) continue;
    num_bits -= 8;
    *to++ = static_cast<char>(bits >> num_bits);
    bits &= (1U << num_bits) - 1;
  }
  return bits == 0 ? nullptr : "must have unused bits of the last base64 digit that are 0";
}

Fault append_utf16(std::string_view text, char*& to) {
  const auto append = [&](std::uint32_t unit) {
    *to++ = static_cast<char>(unit & 0xffU);
    *to++ = static_cast<char>(unit >> 8U);
  };
  while (!text.empty()) {
    const Utf8Character first = first_utf8_character(text);
    if (first.length == 0) return "must be well-formed UTF-8 to be converted to UTF-16";
    text.remove_prefix(first.length);
    if (first.code < 0x10000) {
      append(first.code);
    } else {
      append(0xd800 + ((first.code - 0x10000) >> 10U));
      append(0xdc00 + (first.code & 0x3ffU));
    }
  }
  return nullptr;
}

[[noreturn]] void refuse_key(const KeyFormat& format, const KeyBatch& batch, std::size_t i,
                             Fault fault) {
  const std::string_view key(batch.keys[i].data(), batch.keys[i].size());
  // Blank rows of csv are not keys, so the number of a key's row is unknown here.
  const bool is_row = format.kind == KeyFormat::Kind::kCsv;
  throw ConfigError(fmt::format("{}: {} {}, got '{}'", *batch.file,
                                is_row ? "a key" : fmt::format("line {}", batch.first_record + i),
                                fault, printable(key, kMaxShownValue)));
}

/// Replaces each key by the bytes that append(key, to) writes.
/// @param growth largest number of decoded bytes per byte of a key
template <class Append>
void decode_each(const KeyFormat& format, KeyBatch& batch, std::size_t growth, Append append) {
  std::size_t num_bytes = 0;
  for (const KeyView key : batch.all_keys()) num_bytes += growth * key.size();
  if (batch.decoded.size() < num_bytes) batch.decoded.resize(num_bytes);
  char* next = batch.decoded.data();
  for (std::size_t i = 0; i < batch.num_keys; ++i) {
    const char* const begin = next;
    const KeyView key = batch.keys[i];
    if (const Fault fault = append(std::string_view(key.data(), key.size()), next)) {
      refuse_key(format, batch, i, fault);
    }
    batch.keys[i] = std::string_view(begin, static_cast<std::size_t>(next - begin));
  }
}

}  // namespace

void decode_keys(const KeyFormat& format, KeyBatch& batch) {
  if (format.kind == KeyFormat::Kind::kHex) decode_each(format, batch, 1, append_hex);
  if (format.kind == KeyFormat::Kind::kBase64) decode_each(format, batch, 1, append_base64);
  if (format.has_utf16_keys) decode_each(format, batch, 2, append_utf16);
}

}  // namespace bloometry
