#include "experiments/text/printable.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace bloometry {
namespace {

constexpr std::string_view kCut = "...";

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80;
}

/// The first character of a text: its code point and its length in bytes. The length is 0 if the
/// text does not begin with well-formed UTF-8 (Unicode 15, table 3-7).
struct Character {
  std::uint32_t code = 0;
  std::size_t length = 0;
};

Character first_character(std::string_view text) {
  constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc0 || lead >= 0xf8 || text.size() < length) return {};
  std::uint32_t code = lead & (0x7fU >> length);
  for (const char byte : text.substr(1, length - 1)) {
    if (!is_continuation(byte)) return {};
    code = code << 6U | (static_cast<unsigned char>(byte) & 0x3fU);
  }
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kLeast[length] || code > 0x10ffff || is_surrogate) return {};
  return {code, length};
}

bool is_within(std::uint32_t code, std::uint32_t first, std::uint32_t last) {
  return code >= first && code <= last;
}

/// Returns true for C0, DEL and C1 control characters, line and paragraph separators, and marks
/// that change the direction of writing.
bool is_control(std::uint32_t code) {
  return code < 0x20 || is_within(code, 0x7f, 0x9f) || is_within(code, 0x200e, 0x200f) ||
         is_within(code, 0x2028, 0x202e) || is_within(code, 0x2066, 0x2069);
}

std::string escaped_byte(char byte) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (byte == '\n') return "\\n";
  if (byte == '\r') return "\\r";
  if (byte == '\t') return "\\t";
  const auto value = static_cast<unsigned char>(byte);
  return {'\\', 'x', kDigits[value / 16], kDigits[value % 16]};
}

/// Removes the first character from the text and returns the character, escaped if necessary.
std::string take_escaped(std::string_view& text) {
  const Character first = first_character(text);
  const std::string_view bytes = text.substr(0, std::max<std::size_t>(first.length, 1));
  text.remove_prefix(bytes.size());
  if (first.length > 0 && !is_control(first.code)) return std::string(bytes);
  std::string escaped;
  for (const char byte : bytes) escaped += escaped_byte(byte);
  return escaped;
}

/// Removes whole characters of at most max_bytes bytes in total from the beginning of the text, and
/// returns the characters.
std::string take_head(std::string_view& text, std::size_t max_bytes) {
  std::string head;
  while (!text.empty()) {
    std::string_view rest = text;
    const std::string next = take_escaped(rest);
    if (head.size() + next.size() > max_bytes) break;
    head += next;
    text = rest;
  }
  return head;
}

/// Returns the last whole characters of the text, at most max_bytes bytes in total.
std::string tail_of(std::string_view text, std::size_t max_bytes) {
  text.remove_prefix(text.size() - std::min(text.size(), max_bytes));
  for (int i = 0; i < 3 && !text.empty() && is_continuation(text.front()); ++i) {
    text.remove_prefix(1);
  }
  while (true) {
    std::string_view rest = text;
    std::string tail = take_head(rest, max_bytes);
    if (rest.empty()) return tail;
    static_cast<void>(take_escaped(text));
  }
}

}  // namespace

std::string printable(std::string_view text, std::size_t max_bytes) {
  std::string_view rest = text;
  std::string whole = take_head(rest, max_bytes);
  if (rest.empty()) return whole;
  const std::size_t room = max_bytes - std::min(max_bytes, kCut.size());
  rest = text;
  std::string cut = take_head(rest, room - room / 3);
  cut += kCut;
  return cut + tail_of(rest, room / 3);
}

}  // namespace bloometry
