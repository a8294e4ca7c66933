#include "experiments/keys/text_encoding.hpp"

#include <array>
#include <fmt/core.h>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/text/utf8.hpp"

namespace bloometry {
namespace {

using namespace std::string_view_literals;

struct EncodingFacts {
  TextEncoding encoding;
  std::string_view name;
  std::string_view mark;
};

constexpr std::array kEncodings = {
    EncodingFacts{TextEncoding::kAuto, "auto", ""},
    EncodingFacts{TextEncoding::kBytes, "bytes", ""},
    EncodingFacts{TextEncoding::kUtf8, "utf-8", "\xef\xbb\xbf"},
    EncodingFacts{TextEncoding::kUtf16le, "utf-16le", "\xff\xfe"},
    EncodingFacts{TextEncoding::kUtf16be, "utf-16be", "\xfe\xff"},
    EncodingFacts{TextEncoding::kUtf32le, "utf-32le", "\xff\xfe\0\0"sv},
    EncodingFacts{TextEncoding::kUtf32be, "utf-32be", "\0\0\xfe\xff"sv}};

// The mark of UTF-32LE begins with that of UTF-16LE, so encodings of longer units come first.
constexpr std::array kWideEncodings = {TextEncoding::kUtf32le, TextEncoding::kUtf32be,
                                       TextEncoding::kUtf16le, TextEncoding::kUtf16be};

const EncodingFacts& facts_of(TextEncoding encoding) noexcept {
  return kEncodings[static_cast<std::size_t>(encoding)];
}

bool is_text_character(std::uint32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  const bool is_noncharacter = (code & 0xfffeU) == 0xfffe || (code >= 0xfdd0 && code <= 0xfdef);
  return is_unicode_scalar(code) && !is_noncharacter;
}

/// Returns whether the bytes are certainly text in an encoding whose units have 2 or 4 bytes.
bool is_text_in(TextEncoding encoding, std::string_view bytes) {
  const std::size_t width = unit_bytes(encoding);
  const std::size_t num_units = bytes.size() / width;
  const bool is_cut = bytes.size() >= kEncodingWindow;  // the last character may be incomplete
  if (bytes.size() % width != 0 && !is_cut) return false;
  std::uint32_t high_surrogate = 0;
  std::size_t num_narrow = 0;
  for (std::size_t i = 0; i < num_units; ++i) {
    const std::uint32_t code = code_unit(encoding, bytes.data() + width * i);
    if (code < 0x100) ++num_narrow;
    const bool is_low = code >= 0xdc00 && code <= 0xdfff;
    if (is_low != (high_surrogate != 0)) return false;
    high_surrogate = width == 2 && code >= 0xd800 && code <= 0xdbff ? code : 0;
    if (!is_low && high_surrogate == 0 && !is_text_character(code)) return false;
  }
  if (high_surrogate != 0 && !is_cut) return false;
  return num_units >= 2 && (width == 4 || 4 * num_narrow >= 3 * num_units);
}

}  // namespace

TextEncoding parse_text_encoding(std::string_view name) {
  for (const EncodingFacts& facts : kEncodings) {
    if (facts.name == name) return facts.encoding;
  }
  throw ConfigError("text_encoding", fmt::format("must be one of {}, got '{}'",
                                                 joined(kEncodings, &EncodingFacts::name), name));
}

std::string_view name_of(TextEncoding encoding) noexcept {
  return facts_of(encoding).name;
}

std::size_t unit_bytes(TextEncoding encoding) noexcept {
  if (encoding == TextEncoding::kUtf16le || encoding == TextEncoding::kUtf16be) return 2;
  return encoding == TextEncoding::kUtf32le || encoding == TextEncoding::kUtf32be ? 4 : 1;
}

std::uint32_t code_unit(TextEncoding encoding, const char* bytes) noexcept {
  const std::size_t width = unit_bytes(encoding);
  const bool is_big_endian =
      encoding == TextEncoding::kUtf16be || encoding == TextEncoding::kUtf32be;
  std::uint32_t unit = 0;
  for (std::size_t i = 0; i < width; ++i) {
    const std::size_t from_high = is_big_endian ? i : width - 1 - i;
    unit = unit << 8U | static_cast<unsigned char>(bytes[from_high]);
  }
  return unit;
}

std::string_view byte_order_mark(TextEncoding encoding) noexcept {
  return facts_of(encoding).mark;
}

FoundEncoding find_encoding(std::string_view start) noexcept {
  if (start.starts_with(byte_order_mark(TextEncoding::kUtf8))) return {TextEncoding::kUtf8, true};
  for (const TextEncoding encoding : kWideEncodings) {
    if (start.starts_with(byte_order_mark(encoding))) return {encoding, true};
  }
  for (const TextEncoding encoding : kWideEncodings) {
    if (is_text_in(encoding, start)) return {encoding, false};
  }
  return {};
}

}  // namespace bloometry
