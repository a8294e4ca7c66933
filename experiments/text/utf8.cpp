#include "experiments/text/utf8.hpp"

#include <array>

namespace bloometry {

Utf8Character first_utf8_character(std::string_view text) noexcept {
  constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc0 || lead >= 0xf8 || text.size() < length) return {};
  std::uint32_t code = lead & (0x7fU >> length);
  for (const char byte : text.substr(1, length - 1)) {
    if (!is_utf8_continuation(byte)) return {};
    code = code << 6U | (static_cast<unsigned char>(byte) & 0x3fU);
  }
  if (code < kLeast[length] || !is_unicode_scalar(code)) return {};
  return {code, length};
}

void append_utf8(std::string& text, std::uint32_t code) {
  const auto append = [&](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (code < 0x80) return append(code);
  const unsigned num_continuations = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr std::array<std::uint32_t, 4> kLead = {0, 0xc0, 0xe0, 0xf0};
  append(kLead[num_continuations] | code >> 6 * num_continuations);
  for (unsigned i = num_continuations; i-- > 0;) append(0x80U | (code >> 6 * i & 0x3fU));
}

}  // namespace bloometry
