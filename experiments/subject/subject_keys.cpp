#include "experiments/subject/subject_keys.hpp"

#include <array>
#include <charconv>
#include <fmt/core.h>

#include "core/error.hpp"
#include "core/hash/mix.hpp"
#include "core/statistics/seed_sequence.hpp"

namespace bloometry {
namespace {

constexpr unsigned kHexDigits = 16;
constexpr unsigned kNumBytes = 10;  // 10 bytes with 7 bits each can represent 64 bits

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

KeyEncoding parse_key_encoding(std::string_view text) {
  if (text == "hex") return KeyEncoding::kHex;
  if (text == "decimal") return KeyEncoding::kDecimal;
  if (text == "bytes") return KeyEncoding::kBytes;
  throw ConfigError("encoding", fmt::format("must be one of hex, decimal, bytes, got '{}'", text));
}

SubjectKeys::SubjectKeys(std::string_view source, KeyEncoding encoding, std::uint64_t seed)
    : encoding_(encoding),
      source_(source, SeedSequence(seed).seed("keys", "subject", 0)),
      first_item_(
          source_.is_random() ? 0 : (seed - 1) * kGoldenGamma / kItemsPerTrial * kItemsPerTrial) {}

std::uint64_t SubjectKeys::value(std::uint64_t item) const noexcept {
  return source_.value(item + first_item_);
}

void SubjectKeys::append(std::uint64_t item, std::string& lines) const {
  switch (encoding_) {
    case KeyEncoding::kHex:
      append_hex(value(item), lines);
      break;
    case KeyEncoding::kDecimal:
      append_decimal(value(item), lines);
      break;
    case KeyEncoding::kBytes:
      append_bytes(value(item), lines);
      break;
  }
  lines.push_back('\n');
}

}  // namespace bloometry
