#include "variants/foreign/redis_bitmap/go_bitset.hpp"

#include <string>

#include "core/error.hpp"
#include "core/store/unused_bits.hpp"
#include "variants/foreign/big_endian/big_endian.hpp"

namespace bloometry {
namespace {

constexpr const char* kBitSet = "the bit set of Go";
constexpr std::size_t kLengthBytes = 8;

}  // namespace

std::optional<std::uint64_t> go_bitset_length(std::string_view bytes) noexcept {
  if (bytes.size() <= kLengthBytes || bytes.size() % 8 != 0) return std::nullopt;
  const auto length = load_big_endian<std::uint64_t>(bytes.data());
  // The sizes are compared in words, because the number of bytes may exceed 64 bits.
  const std::uint64_t num_words = (bytes.size() - kLengthBytes) / 8;
  if (BitArray<>::num_words_for(length) != num_words) return std::nullopt;
  return length;
}

void load_go_bitset(BitArray<>& bits, std::string_view bytes) {
  const std::optional<std::uint64_t> length = go_bitset_length(bytes);
  if (length != bits.size()) {
    throw ConfigError(kBitSet, "must have " + std::to_string(bits.size()) + " bits, got " +
                                   (length ? std::to_string(*length) : "another format"));
  }
  load_big_endian_words(bytes.substr(kLengthBytes), bits.words());
  if (const auto bit = first_unused_bit_set(bits.words(), bits.size())) {
    throw ConfigError(kBitSet, "must not have bits set from bit " + std::to_string(bits.size()) +
                                   " on, got bit " + std::to_string(*bit));
  }
}

}  // namespace bloometry
