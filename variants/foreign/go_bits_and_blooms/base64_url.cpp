#include "variants/foreign/go_bits_and_blooms/base64_url.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace bloometry {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr std::uint8_t kNoDigit = 64;

/// The value of each byte as a digit of base64.
constexpr std::array<std::uint8_t, 256> kDigits = [] {
  std::array<std::uint8_t, 256> digits{};
  digits.fill(kNoDigit);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    digits[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return digits;
}();

}  // namespace

std::string base64_url(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t first = 0; first < bytes.size(); first += 3) {
    const std::string_view group = bytes.substr(first, 3);
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      word = word << 8U | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text.push_back(i <= group.size() ? kAlphabet[word >> (18 - 6 * i) & 63U] : '=');
    }
  }
  return text;
}

std::optional<std::string> bytes_of_base64_url(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t word = 0;  // the low num_left bits have not been written yet
  unsigned num_left = 0;
  for (const char letter : text) {
    const std::uint8_t digit = kDigits[static_cast<unsigned char>(letter)];
    if (digit == kNoDigit) return std::nullopt;
    word = word << 6U | digit;
    num_left += 6;
    if (num_left >= 8) {
      num_left -= 8;
      bytes.push_back(static_cast<char>(word >> num_left & 0xffU));
    }
  }
  if ((word & ((1U << num_left) - 1)) != 0) return std::nullopt;
  return bytes;
}

}  // namespace bloometry
