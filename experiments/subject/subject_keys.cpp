#include "experiments/subject/subject_keys.hpp"

#include <array>
#include <charconv>

#include "core/error.hpp"
#include "core/random/seed_sequence.hpp"

namespace bloometry {
namespace {

constexpr unsigned kHexDigits = 16;
constexpr unsigned kNumBytes = 10;  // 10 x 7 bits hold 64

void append_hex(std::uint64_t value, std::string& lines) {
  for (unsigned digit = kHexDigits; digit-- > 0;) {
    lines.push_back("0123456789abcdef"[value >> (4 * digit) & 0xfU]);
  }
}

void append_decimal(std::uint64_t value, std::string& lines) {
  std::array<char, 20> digits{};
  char* end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  lines.append(digits.data(), end);
}

void append_bytes(std::uint64_t value, std::string& lines) {
  for (unsigned i = 0; i < kNumBytes; ++i) {
    lines.push_back(static_cast<char>(0x80U | (value & 0x7fU)));
    value >>= 7U;
  }
}

}  // namespace

KeyForm parse_key_form(std::string_view text) {
  if (text == "hex") return KeyForm::kHex;
  if (text == "decimal") return KeyForm::kDecimal;
  if (text == "bytes") return KeyForm::kBytes;
  throw ConfigError("keys", "must be one of hex, decimal, bytes, got '" + std::string(text) + "'");
}

SubjectKeys::SubjectKeys(KeyForm form, std::uint64_t seed)
    : form_(form), values_(SeedSequence(seed).seed("keys", "subject", 0)) {}

void SubjectKeys::append(std::uint64_t item, std::string& lines) const {
  const std::uint64_t value = values_.value(item);
  switch (form_) {
    case KeyForm::kHex:
      append_hex(value, lines);
      break;
    case KeyForm::kDecimal:
      append_decimal(value, lines);
      break;
    case KeyForm::kBytes:
      append_bytes(value, lines);
      break;
  }
  lines.push_back('\n');
}

}  // namespace bloometry
