#include "variants/foreign/go_bits_and_blooms/go_bits_and_blooms_filter.hpp"

#include <cmath>
#include <cstddef>

#include "core/contract/compatible.hpp"
#include "core/error.hpp"
#include "core/hash/murmur3_128_hasher.hpp"
#include "core/rates/sizing.hpp"
#include "core/store/unused_bits.hpp"
#include "core/text.hpp"
#include "variants/foreign/big_endian/big_endian.hpp"

namespace bloometry {
namespace {

constexpr std::size_t kHeaderBytes = 16;  // m and k

std::uint64_t checked_num_bits(std::uint64_t num_bits) {
  if (num_bits == 0) throw ConfigError("num_bits", "must be at least 1, got 0");
  return num_bits;
}

}  // namespace

GoBitsAndBloomsFilter::GoBitsAndBloomsFilter(std::uint64_t num_bits, unsigned num_hashes)
    : bits_(checked_num_bits(num_bits)),
      num_hashes_(checked_num_hashes(num_hashes, 1, kMaxNumHashes)),
      length_(num_bits) {}

GoBitsAndBloomsFilter::Sizes GoBitsAndBloomsFilter::checked(const Sizes& sizes) {
  return {checked_num_bits(sizes.num_bits), checked_num_hashes(sizes.num_hashes, 1, kMaxNumHashes)};
}

GoBitsAndBloomsFilter::Sizes GoBitsAndBloomsFilter::sizes_for(std::uint64_t capacity,
                                                              double target_false_positive_rate) {
  const double rate = target_false_positive_rate;
  if (capacity == 0) throw ConfigError("capacity", "must be at least 1, got 0");
  if (!(rate > 0 && rate < 1)) {
    throw ConfigError("target_false_positive_rate",
                      "must be in (0, 1), got " + shortest_text(rate));
  }
  const auto n = static_cast<double>(capacity);
  const double log_2 = std::log(2.0);
  const double num_bits = std::ceil(-n * std::log(rate) / (log_2 * log_2));
  if (!(num_bits < 0x1p63)) {
    throw ConfigError("capacity", "must give fewer than 2^63 bits, got " +
                                      std::to_string(capacity) + ", which gives " +
                                      shortest_text(num_bits) + " at the rate " +
                                      shortest_text(rate));
  }
  return checked({static_cast<std::uint64_t>(num_bits),
                  static_cast<unsigned>(std::ceil(log_2 * num_bits / n))});
}

GoBitsAndBloomsFilter GoBitsAndBloomsFilter::for_capacity(std::uint64_t capacity,
                                                          double target_false_positive_rate) {
  const Sizes sizes = sizes_for(capacity, target_false_positive_rate);
  return {sizes.num_bits, sizes.num_hashes};
}

GoBitsAndBloomsFilter GoBitsAndBloomsFilter::parse(std::string_view bytes) {
  constexpr const char* kField = "go_bits_and_blooms file";
  if (bytes.size() < kHeaderBytes) {
    throw ConfigError(kField, "must have at least 24 bytes, got " + std::to_string(bytes.size()));
  }
  return from_parts(kField, load_big_endian<std::uint64_t>(bytes.data()),
                    load_big_endian<std::uint64_t>(bytes.data() + 8), bytes.substr(kHeaderBytes));
}

GoBitsAndBloomsFilter GoBitsAndBloomsFilter::from_parts(const char* field, std::uint64_t num_bits,
                                                        std::uint64_t num_hashes,
                                                        std::string_view bit_set) {
  const auto refuse = [field](const std::string& text) { throw ConfigError(field, text); };
  const auto require = [&](bool holds, const char* what, std::uint64_t value) {
    if (!holds) refuse(what + std::string(", got ") + std::to_string(value));
  };
  require(num_bits >= 1, "must have an m of at least 1", num_bits);
  require(num_hashes >= 1 && num_hashes <= kMaxNumHashes, "must have a k in [1, 1075]", num_hashes);
  require(bit_set.size() >= 8, "must have a bit set of at least 8 bytes", bit_set.size());
  const auto length = load_big_endian<std::uint64_t>(bit_set.data());
  bit_set.remove_prefix(8);
  // The sizes are compared in words, because the number of bytes may exceed 64 bits.
  const std::uint64_t num_words = BitArray<>::num_words_for(length);
  if (bit_set.size() % 8 != 0 || bit_set.size() / 8 != num_words) {
    refuse("must have " + std::to_string(num_words) + " words of 8 bytes for a bit set of length " +
           std::to_string(length) + ", got " + std::to_string(bit_set.size()) + " bytes");
  }
  const std::uint64_t whole_words = 64 * BitArray<>::num_words_for(num_bits);
  if (length != num_bits && (length != whole_words || whole_words < num_bits)) {
    const bool has_longer = whole_words > num_bits;
    refuse("must have a bit set of length m = " + std::to_string(num_bits) +
           (has_longer ? " or " + std::to_string(whole_words) + " (whole words)" : "") + ", got " +
           std::to_string(length));
  }
  GoBitsAndBloomsFilter filter(num_bits, static_cast<unsigned>(num_hashes));
  filter.length_ = length;
  const auto words = filter.bits_.words();
  load_big_endian_words(bit_set, words);
  if (const auto bit = first_unused_bit_set(words, num_bits)) {
    refuse("must not have bits set from bit " + std::to_string(num_bits) + " on, got bit " +
           std::to_string(*bit));
  }
  return filter;
}

std::string GoBitsAndBloomsFilter::serialize() const {
  std::string bytes;
  append_big_endian(bytes, num_bits());
  append_big_endian(bytes, std::uint64_t{num_hashes_});
  return bytes + bit_set();
}

std::string GoBitsAndBloomsFilter::bit_set() const {
  std::string bytes;
  bytes.reserve(8 + 8 * bits_.words().size());
  append_big_endian(bytes, length_);
  append_big_endian_words(bytes, bits_.words());
  return bytes;
}

bool GoBitsAndBloomsFilter::insert(KeyView key) {
  const Words words = words_of(key);
  bool changed = false;
  for (unsigned i = 0; i < num_hashes_; ++i) changed |= bits_.set(index(words, i));
  return changed;
}

bool GoBitsAndBloomsFilter::contains(KeyView key) const {
  const Words words = words_of(key);
  for (unsigned i = 0; i < num_hashes_; ++i) {
    if (!bits_.test(index(words, i))) return false;
  }
  return true;
}

void GoBitsAndBloomsFilter::merge(const GoBitsAndBloomsFilter& other) {
  require_like(other);
  bits_.merge(other.bits_);
}

void GoBitsAndBloomsFilter::intersect(const GoBitsAndBloomsFilter& other) {
  require_like(other);
  bits_.intersect(other.bits_);
}

void GoBitsAndBloomsFilter::require_like(const GoBitsAndBloomsFilter& other) const {
  require_equal("num_bits", num_bits(), other.num_bits());
  require_equal("num_hashes", num_hashes_, other.num_hashes_);
}

std::vector<std::uint64_t> GoBitsAndBloomsFilter::indices(KeyView key) const {
  const Words words = words_of(key);
  std::vector<std::uint64_t> all;
  for (unsigned i = 0; i < num_hashes_; ++i) all.push_back(index(words, i));
  return all;
}

GoBitsAndBloomsFilter::Words GoBitsAndBloomsFilter::words_of(KeyView key) {
  const Digest first = murmur3_x64_128(key, 0);
  std::string longer(key.data(), key.size());
  longer.push_back('\x01');
  const Digest second = murmur3_x64_128(longer, 0);
  return {first.lo, first.hi, second.lo, second.hi};
}

std::uint64_t GoBitsAndBloomsFilter::index(const Words& words, unsigned i) const noexcept {
  const std::uint64_t stride = words[2 + (i + i % 2) % 4 / 2];
  return (words[i % 2] + i * stride) % num_bits();
}

}  // namespace bloometry
