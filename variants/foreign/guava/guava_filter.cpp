#include "variants/foreign/guava/guava_filter.hpp"

#include <cmath>

#include "core/contract/compatible.hpp"
#include "core/error.hpp"
#include "core/rates/sizing.hpp"
#include "core/text.hpp"
#include "variants/foreign/big_endian/big_endian.hpp"

namespace bloometry {
namespace {

constexpr std::size_t kHeaderBytes = 6;
constexpr std::uint64_t kMaxNumBits = 64 * GuavaFilter::kMaxNumLongs;

[[noreturn]] void refuse_file(const std::string& text) {
  throw ConfigError("guava file", text);
}

std::uint64_t checked_num_bits(std::uint64_t num_bits) {
  if (num_bits == 0 || num_bits % 64 != 0 || num_bits > kMaxNumBits) {
    throw ConfigError("num_bits", "must be a multiple of 64 in [64, " +
                                      std::to_string(kMaxNumBits) + "], got " +
                                      std::to_string(num_bits));
  }
  return num_bits;
}

GuavaStrategy checked_strategy(GuavaStrategy strategy) {
  if (strategy != GuavaStrategy::kMurmur128Mitz32 && strategy != GuavaStrategy::kMurmur128Mitz64) {
    throw ConfigError("strategy", "must be 0 (MURMUR128_MITZ_32) or 1 (MURMUR128_MITZ_64), got " +
                                      std::to_string(static_cast<unsigned>(strategy)));
  }
  return strategy;
}

/// Returns the result of Java's Math.round for a positive number. Math.round rounds halves up. The
/// function does not add 0.5, because adding 0.5 would round 0.49999999999999994 up to 1.
double java_round(double value) noexcept {
  const double floor = std::floor(value);
  return value - floor >= 0.5 ? floor + 1 : floor;
}

}  // namespace

GuavaFilter::GuavaFilter(std::uint64_t num_bits, unsigned num_hashes, GuavaStrategy strategy)
    : bits_(checked_num_bits(num_bits)),
      num_hashes_(checked_num_hashes(num_hashes, 1, kMaxNumHashes)),
      strategy_(checked_strategy(strategy)) {}

GuavaFilter::Sizes GuavaFilter::checked(const Sizes& sizes) {
  return {checked_num_bits(sizes.num_bits), checked_num_hashes(sizes.num_hashes, 1, kMaxNumHashes)};
}

GuavaFilter::Sizes GuavaFilter::sizes_for(std::uint64_t capacity, double target_false_positive_rate,
                                          GuavaNumHashes rule) {
  const double rate = target_false_positive_rate;
  if (!(rate > 0 && rate < 1)) {
    throw ConfigError("target_false_positive_rate",
                      "must be in (0, 1), got " + shortest_text(rate));
  }
  const auto n = static_cast<double>(capacity == 0 ? 1 : capacity);
  const double log_2 = std::log(2.0);
  const double num_bits = std::floor(-n * std::log(rate) / (log_2 * log_2));
  if (!(num_bits >= 1 && num_bits <= static_cast<double>(kMaxNumBits))) {
    throw ConfigError("capacity", "must give 1 to " + std::to_string(kMaxNumBits) + " bits, got " +
                                      std::to_string(capacity) + ", which gives " +
                                      shortest_text(num_bits) + " at the rate " +
                                      shortest_text(rate));
  }
  const double num_hashes = java_round(rule == GuavaNumHashes::kFromBits ? num_bits / n * log_2
                                                                         : -std::log(rate) / log_2);
  const auto num_longs = (static_cast<std::uint64_t>(num_bits) + 63) / 64;
  return checked({64 * num_longs, num_hashes < 1 ? 1U : static_cast<unsigned>(num_hashes)});
}

GuavaFilter GuavaFilter::for_capacity(std::uint64_t capacity, double target_false_positive_rate,
                                      GuavaStrategy strategy, GuavaNumHashes rule) {
  const Sizes sizes = sizes_for(capacity, target_false_positive_rate, rule);
  return {sizes.num_bits, sizes.num_hashes, strategy};
}

GuavaFilter GuavaFilter::parse(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes) {
    refuse_file("must have at least 6 bytes, got " + std::to_string(bytes.size()));
  }
  const auto strategy = static_cast<unsigned char>(bytes[0]);
  if (strategy > 1) {
    refuse_file("must have strategy 0 (MURMUR128_MITZ_32) or 1 (MURMUR128_MITZ_64), got " +
                std::to_string(strategy));
  }
  const auto num_hashes = static_cast<unsigned char>(bytes[1]);
  if (num_hashes == 0) refuse_file("must have 1 to 255 hash functions, got 0");
  const auto num_longs = load_big_endian<std::uint32_t>(bytes.data() + 2);
  if (num_longs == 0 || num_longs > kMaxNumLongs) {
    refuse_file("must have 1 to " + std::to_string(kMaxNumLongs) + " longs, got " +
                std::to_string(static_cast<std::int32_t>(num_longs)));
  }
  const std::uint64_t num_bytes = kHeaderBytes + std::uint64_t{8} * num_longs;
  if (bytes.size() != num_bytes) {
    refuse_file("must have " + std::to_string(num_bytes) + " bytes for its " +
                std::to_string(num_longs) + " longs, got " + std::to_string(bytes.size()));
  }
  GuavaFilter filter(std::uint64_t{64} * num_longs, num_hashes,
                     static_cast<GuavaStrategy>(strategy));
  load_big_endian_words(bytes.substr(kHeaderBytes), filter.bits_.words());
  return filter;
}

std::string GuavaFilter::serialize() const {
  std::string bytes;
  bytes.reserve(kHeaderBytes + num_bits() / 8);
  bytes.push_back(static_cast<char>(strategy_));
  bytes.push_back(static_cast<char>(num_hashes_));
  append_big_endian(bytes, static_cast<std::uint32_t>(num_bits() / 64));
  append_big_endian_words(bytes, bits_.words());
  return bytes;
}

bool GuavaFilter::insert(const GuavaKey& key) noexcept {
  bool changed = false;
  for (unsigned i = 0; i < num_hashes_; ++i) changed |= bits_.set(index(key.digest(), i));
  return changed;
}

bool GuavaFilter::contains(const GuavaKey& key) const noexcept {
  for (unsigned i = 0; i < num_hashes_; ++i) {
    if (!bits_.test(index(key.digest(), i))) return false;
  }
  return true;
}

void GuavaFilter::merge(const GuavaFilter& other) {
  require_like(other);
  bits_.merge(other.bits_);
}

void GuavaFilter::intersect(const GuavaFilter& other) {
  require_like(other);
  bits_.intersect(other.bits_);
}

void GuavaFilter::require_like(const GuavaFilter& other) const {
  require_equal("strategy", static_cast<std::uint64_t>(strategy_),
                static_cast<std::uint64_t>(other.strategy_));
  require_equal("num_bits", num_bits(), other.num_bits());
  require_equal("num_hashes", num_hashes_, other.num_hashes_);
}

std::vector<std::uint64_t> GuavaFilter::indices(const GuavaKey& key) const {
  std::vector<std::uint64_t> all;
  for (unsigned i = 0; i < num_hashes_; ++i) all.push_back(index(key.digest(), i));
  return all;
}

std::uint64_t GuavaFilter::index(const Digest& digest, unsigned i) const noexcept {
  if (strategy_ == GuavaStrategy::kMurmur128Mitz64) {
    return ((digest.lo + i * digest.hi) & 0x7fffffffffffffffU) % num_bits();
  }
  // Unsigned arithmetic wraps as Java's int arithmetic does. The first index already includes one
  // stride.
  const auto low = static_cast<std::uint32_t>(digest.lo);
  const auto high = static_cast<std::uint32_t>(digest.lo >> 32U);
  const std::uint32_t combined = low + (i + 1) * high;
  return (combined >> 31U != 0 ? ~combined : combined) % num_bits();
}

}  // namespace bloometry
