#include "experiments/text/printable.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/core.h>

#include "experiments/text/utf8.hpp"

namespace bloometry {
namespace {

constexpr std::string_view kCut = "...";

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
  if (byte == '\n') return "\\n";
  if (byte == '\r') return "\\r";
  if (byte == '\t') return "\\t";
  return fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
}

/// Removes the first character from the text and returns the character, escaped if necessary.
std::string take_escaped(std::string_view& text) {
  const Utf8Character first = first_utf8_character(text);
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
  for (int i = 0; i < 3 && !text.empty() && is_utf8_continuation(text.front()); ++i) {
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

std::string name_unless_secret(std::string_view name) {
  constexpr std::size_t kLeastDigits = 16;
  const bool is_hex = name.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  if (!is_hex || name.size() < kLeastDigits) return std::string(name);
  return fmt::format("({} hexadecimal digits, which may be a secret)", name.size());
}

}  // namespace bloometry
