#include "experiments/subject/subject_keys.hpp"

#include <array>
#include <charconv>

#include "core/error.hpp"
#include "core/hash/mix.hpp"
#include "core/random/seed_sequence.hpp"
#include "core/text.hpp"
#include "experiments/workload/key_patterns.hpp"

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

constexpr std::string_view kRandom = "random";
constexpr std::string_view kSequential = "sequential";

/// The number of an item; null for random keys.
auto pattern_of(std::string_view source) -> std::uint64_t (*)(std::uint64_t item) {
  if (source == kRandom) return nullptr;
  if (source == kSequential) return [](std::uint64_t item) { return item; };
  if (const KeyPattern* pattern = find_key_pattern(source)) return pattern->value;
  throw ConfigError("keys", "must be of " + joined(subject_key_sources()) + ", got '" +
                                std::string(source) + "'");
}

}  // namespace

KeyEncoding parse_key_encoding(std::string_view text) {
  if (text == "hex") return KeyEncoding::kHex;
  if (text == "decimal") return KeyEncoding::kDecimal;
  if (text == "bytes") return KeyEncoding::kBytes;
  throw ConfigError("encoding",
                    "must be one of hex, decimal, bytes, got '" + std::string(text) + "'");
}

std::vector<std::string> subject_key_sources() {
  std::vector<std::string> names = {std::string(kRandom), std::string(kSequential)};
  for (const KeyPattern& pattern : kKeyPatterns) names.emplace_back(pattern.name);
  return names;
}

SubjectKeys::SubjectKeys(std::string_view source, KeyEncoding encoding, std::uint64_t seed)
    : encoding_(encoding),
      random_(SeedSequence(seed).seed("keys", "subject", 0)),
      pattern_(pattern_of(source)),
      first_trial_((seed - 1) * kGoldenGamma / kItemsPerTrial * kItemsPerTrial) {}

std::uint64_t SubjectKeys::value(std::uint64_t item) const noexcept {
  return pattern_ == nullptr ? random_.value(item) : pattern_(item + first_trial_);
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
