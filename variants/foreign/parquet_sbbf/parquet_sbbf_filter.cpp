#include "variants/foreign/parquet_sbbf/parquet_sbbf_filter.hpp"

#include <algorithm>
#include <cmath>

#include "core/contract/compatible.hpp"
#include "core/error.hpp"
#include "core/hash/key_view.hpp"
#include "core/hash/little_endian.hpp"
#include "core/hash/xxh64_hasher.hpp"
#include "core/store/fold.hpp"
#include "core/store/word_bytes.hpp"
#include "core/text.hpp"

namespace bloometry {
namespace {

using namespace std::string_view_literals;

// Limits of the sizes that Arrow C++ creates (parquet/bloom_filter.h).
constexpr std::uint32_t kMinBits = 32 * 8;
constexpr std::uint32_t kMaxBits = 256 * ParquetSbbfFilter::kMaxSizedBlocks;

// Field headers of the Thrift compact protocol: an i32 and a struct, each with a field id of the
// previous id + 1.
constexpr char kNextI32 = 0x15;
constexpr std::string_view kFirstMember = "\x1c\x1c\0\0"sv;  // union with an empty struct, stop
constexpr char kStop = 0;

ConfigError refused(const std::string& field, const std::string& allowed, const std::string& got) {
  return {"parquet_sbbf file", "must have " + field + " " + allowed + ", got " + got};
}

std::string hex_of(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char byte : bytes) {
    hex += kDigits[static_cast<unsigned char>(byte) >> 4U];
    hex += kDigits[static_cast<unsigned char>(byte) & 15U];
  }
  return hex.empty() ? "nothing" : hex;
}

/// Checks that the bytes begin with `expected`, and removes this prefix.
void expect(std::string_view& bytes, std::string_view expected, const std::string& field,
            const std::string& meaning) {
  const std::string_view got = bytes.substr(0, expected.size());
  if (got != expected) throw refused(field, meaning + " (" + hex_of(expected) + ")", hex_of(got));
  bytes.remove_prefix(expected.size());
}

/// Removes an unsigned varint of up to 32 bits from the front of the bytes and returns its value.
/// The varint must have the minimum number of bytes.
std::uint32_t next_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < 5 && i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    value |= std::uint64_t{byte & 0x7fU} << (7 * i);
    if ((byte & 0x80U) != 0) continue;
    if ((i > 0 && byte == 0) || value >> 32U != 0) break;
    bytes.remove_prefix(i + 1);
    return static_cast<std::uint32_t>(value);
  }
  throw refused("a numBytes", "that is a varint of 32 bits, as short as possible",
                hex_of(bytes.substr(0, 5)));
}

void append_varint(std::string& bytes, std::uint32_t value) {
  for (; value > 0x7f; value >>= 7U) bytes.push_back(static_cast<char>(value | 0x80U));
  bytes.push_back(static_cast<char>(value));
}

/// Removes the header from the front of the bytes and returns the length of the bit array in bytes.
std::uint64_t next_header(std::string_view& bytes) {
  expect(bytes, {&kNextI32, 1}, "a header", "that begins with field 1, an i32");
  const std::uint32_t zigzag = next_varint(bytes);
  const std::int64_t num_bytes =
      zigzag % 2 == 0 ? std::int64_t{zigzag / 2} : -std::int64_t{zigzag / 2} - 1;
  if (num_bytes <= 0 || num_bytes % 32 != 0) {
    throw refused("a numBytes", "that is a positive multiple of 32", std::to_string(num_bytes));
  }
  expect(bytes, kFirstMember, "an algorithm", "of BLOCK");
  expect(bytes, kFirstMember, "a hash", "of XXHASH");
  expect(bytes, kFirstMember, "a compression", "of UNCOMPRESSED");
  expect(bytes, {&kStop, 1}, "a header", "that ends after field 4");
  return static_cast<std::uint64_t>(num_bytes);
}

std::uint64_t checked_blocks(std::uint64_t num_blocks) {
  if (num_blocks - 1 < ParquetSbbfFilter::kMaxBlocks) return num_blocks;
  throw ConfigError("num_blocks", "must be in [1, " +
                                      std::to_string(ParquetSbbfFilter::kMaxBlocks) + "], got " +
                                      std::to_string(num_blocks));
}

/// Returns the number of bits that Arrow C++ computes for a filter, with the same arithmetic. The
/// function truncates the number and then rounds it up to a power of two.
std::uint32_t bits_for(std::uint64_t num_keys, double false_positive_rate) {
  if (num_keys == 0) return kMinBits;
  // If 1 - p^(1/8) rounds to 1, the result is minus infinity.
  const double bits =
      -8.0 * static_cast<double>(num_keys) / std::log(1 - std::pow(false_positive_rate, 1.0 / 8));
  if (bits < 0 || bits > kMaxBits) return kMaxBits;
  return std::bit_ceil(std::max(static_cast<std::uint32_t>(bits), kMinBits));
}

}  // namespace

Digest ParquetValue::digest_of(std::string_view bytes) noexcept {
  return {xxh64(bytes, 0), 0};
}

Digest ParquetValue::digest_of_word(std::uint32_t word) noexcept {
  const char bytes[] = {static_cast<char>(word), static_cast<char>(word >> 8U),
                        static_cast<char>(word >> 16U), static_cast<char>(word >> 24U)};
  return digest_of({bytes, sizeof bytes});
}

Digest ParquetValue::digest_of_word(std::uint64_t word) noexcept {
  return {xxh64(IntegerKey(word).view(), 0), 0};
}

ParquetSbbfFilter::ParquetSbbfFilter(std::uint64_t num_blocks)
    : bits_(checked_blocks(num_blocks) * 8 * kBlockBytes) {}

std::uint64_t ParquetSbbfFilter::num_blocks_for(std::uint64_t num_keys,
                                                double false_positive_rate) {
  if (!(false_positive_rate > 0 && false_positive_rate < 1)) {
    throw ConfigError("target_false_positive_rate",
                      "must be in (0, 1), got " + shortest_text(false_positive_rate));
  }
  if (num_keys >> 32U != 0) {
    throw ConfigError("capacity", "must be below 2^32, got " + std::to_string(num_keys));
  }
  return bits_for(num_keys, false_positive_rate) / (8 * kBlockBytes);
}

ParquetSbbfFilter ParquetSbbfFilter::for_capacity(std::uint64_t num_keys,
                                                  double false_positive_rate) {
  return ParquetSbbfFilter(num_blocks_for(num_keys, false_positive_rate));
}

ParquetSbbfFilter ParquetSbbfFilter::parse(std::string_view bytes) {
  const std::uint64_t num_bytes = next_header(bytes);
  if (bytes.size() != num_bytes) {
    throw refused("a bit array", "of " + std::to_string(num_bytes) + " bytes, its numBytes",
                  std::to_string(bytes.size()));
  }
  ParquetSbbfFilter filter(num_bytes / kBlockBytes);
  read_word_bytes(bytes, filter.bits_.words());
  return filter;
}

void ParquetSbbfFilter::merge(const ParquetSbbfFilter& other) {
  require_equal("num_blocks", num_blocks(), other.num_blocks());
  bits_.merge(other.bits_);
}

void ParquetSbbfFilter::intersect(const ParquetSbbfFilter& other) {
  require_equal("num_blocks", num_blocks(), other.num_blocks());
  bits_.intersect(other.bits_);
}

ParquetSbbfFilter ParquetSbbfFilter::fold(std::uint64_t divisor) const {
  require_divisor(divisor, "num_blocks", num_blocks());
  ParquetSbbfFilter result(num_blocks() / divisor);
  fold_blocks(bits_.words(), result.bits_.words(), divisor, kBlockBytes / 8);
  return result;
}

std::string ParquetSbbfFilter::serialize() const {
  std::string bytes(1, kNextI32);
  append_varint(bytes, static_cast<std::uint32_t>(2 * num_blocks() * kBlockBytes));  // zigzag
  for (int i = 0; i < 3; ++i) bytes += kFirstMember;
  bytes += kStop;
  append_word_bytes(bytes, bits_.words());
  return bytes;
}

}  // namespace bloometry
