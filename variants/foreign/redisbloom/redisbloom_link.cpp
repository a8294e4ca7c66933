#include "variants/foreign/redisbloom/redisbloom_link.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "core/error.hpp"
#include "core/rates/cardinality.hpp"
#include "core/store/fold.hpp"
#include "core/text.hpp"

namespace bloometry {
namespace {

// Constants with the digits of the module's source, because sizes at a boundary depend on the last
// digit.
constexpr double kLn2 = 0.693147180559945;
constexpr double kLn2Squared = 0.480453013918201;
constexpr double kMaxBits = 0x1p62;

/// Returns the number of bits before rounding, with the arithmetic of the module.
double unrounded_bits(std::uint64_t capacity, double bits_per_entry) {
  const double bits = static_cast<double>(capacity) * bits_per_entry;
  if (bits < kMaxBits) return bits;
  throw ConfigError("capacity", "must be small enough for 2^62 bits, got " +
                                    std::to_string(capacity) + " entries of " +
                                    shortest_text(bits_per_entry) + " bits");
}

void round_to_words(RedisBloomShape& shape) {
  const auto bits =
      static_cast<std::uint64_t>(unrounded_bits(shape.capacity, shape.bits_per_entry));
  shape.num_bits = 64 * BitArray<>::num_words_for(std::max<std::uint64_t>(bits, 1));
}

/// Rounds the number of bits up to the next larger power of two, even if the number is already a
/// power of two. Raises the capacity to the number of items that fit into the rounded number of
/// bits.
void round_to_power_of_two(RedisBloomShape& shape) {
  const double bits = unrounded_bits(shape.capacity, shape.bits_per_entry);
  if (bits < 1) {
    throw ConfigError("capacity", "must give at least one bit, got " +
                                      std::to_string(shape.capacity) + " entries of " +
                                      shortest_text(shape.bits_per_entry) + " bits");
  }
  shape.num_bits = std::uint64_t{1} << static_cast<unsigned>(std::ilogb(bits) + 1);
  const auto more_bits = static_cast<std::uint64_t>(static_cast<double>(shape.num_bits) - bits);
  shape.capacity +=
      static_cast<std::uint64_t>(static_cast<double>(more_bits) / shape.bits_per_entry);
}

}  // namespace

void require_redisbloom_error_rate(double error_rate) {
  if (error_rate > 0 && error_rate < 1) return;
  throw ConfigError("target_false_positive_rate",
                    "must be in (0, 1), got " + shortest_text(error_rate));
}

double redisbloom_bits_per_entry(double error_rate) noexcept {
  return std::abs(std::log(error_rate) / kLn2Squared);
}

double redisbloom_num_hashes(double bits_per_entry) noexcept {
  return std::ceil(kLn2 * bits_per_entry);
}

RedisBloomShape RedisBloomShape::for_capacity(std::uint64_t capacity, double error_rate,
                                              RedisBloomSizing sizing) {
  if (capacity == 0) throw ConfigError("capacity", "must be at least 1, got 0");
  require_redisbloom_error_rate(error_rate);
  const double bits_per_entry = redisbloom_bits_per_entry(error_rate);
  RedisBloomShape shape{.capacity = capacity,
                        .error_rate = error_rate,
                        .bits_per_entry = bits_per_entry,
                        .num_hashes = static_cast<unsigned>(redisbloom_num_hashes(bits_per_entry)),
                        .sizing = sizing};
  if (sizing == RedisBloomSizing::kPowerOfTwo) {
    round_to_power_of_two(shape);
  } else {
    round_to_words(shape);
  }
  return shape;
}

RedisBloomShape RedisBloomShape::folded(std::uint64_t divisor) const {
  require_divisor(divisor, "num_bits", num_bits);
  RedisBloomShape shape = *this;
  shape.num_bits /= divisor;
  shape.capacity = std::max<std::uint64_t>(capacity / divisor, 1);
  const bool is_possible =
      sizing == RedisBloomSizing::kPowerOfTwo ? shape.num_bits > 1 : shape.num_bits % 64 == 0;
  if (is_possible) return shape;
  throw ConfigError("num_bits / fold divisor must be " +
                    std::string(sizing == RedisBloomSizing::kPowerOfTwo
                                    ? "at least 2"
                                    : "a positive multiple of 64") +
                    ", got " + std::to_string(num_bits) + " / " + std::to_string(divisor));
}

unsigned RedisBloomShape::log2_num_bits() const noexcept {
  if (sizing == RedisBloomSizing::kWholeWords) return 0;
  return static_cast<unsigned>(std::countr_zero(num_bits));
}

bool RedisBloomLink::insert(const Digest& digest) noexcept {
  bool changed = false;
  for (unsigned i = 0; i < shape_.num_hashes; ++i) changed |= bits_.set(index(digest, i));
  if (changed) ++num_items_;
  return changed;
}

bool RedisBloomLink::contains(const Digest& digest) const noexcept {
  for (unsigned i = 0; i < shape_.num_hashes; ++i) {
    if (!bits_.test(index(digest, i))) return false;
  }
  return true;
}

void RedisBloomLink::merge(const RedisBloomLink& other) noexcept {
  const std::uint64_t least = std::max(num_items_, other.num_items_);
  const std::uint64_t sum = num_items_ + other.num_items_;  // each is at most the number of bits
  bits_.merge(other.bits_);
  num_items_ = estimated_items(least, sum);
}

void RedisBloomLink::intersect(const RedisBloomLink& other) noexcept {
  const std::uint64_t ones_before = bits_.count();
  bits_.intersect(other.bits_);
  const std::uint64_t num_ones = bits_.count();
  // An item that is counted has set a bit.
  const std::uint64_t most = std::min({num_items_, other.num_items_, num_ones});
  num_items_ = common_count_given_ones(ones_before, other.bits_.count(), num_ones, shape_.num_bits,
                                       shape_.num_hashes, most);
}

std::uint64_t RedisBloomLink::estimated_items(std::uint64_t least,
                                              std::uint64_t most) const noexcept {
  const std::uint64_t num_ones = bits_.count();
  const std::uint64_t num_hashes = shape_.num_hashes;
  most = std::min(most, num_ones);  // an item that is counted has set a bit
  least = std::min(std::max(least, (num_ones + num_hashes - 1) / num_hashes), most);
  const double estimate =
      count_given_ones(ProbeModel::kWithReplacement, num_ones, shape_.num_bits, shape_.num_hashes);
  return clipped_count(estimate, least, most);
}

RedisBloomLink RedisBloomLink::fold(std::uint64_t divisor) const {
  RedisBloomLink result(shape_.folded(divisor), num_items_);
  result.bits_ = folded<FoldRule::kModulo>(bits_, divisor);
  result.num_items_ = std::min(num_items_, result.bits_.count());
  return result;
}

}  // namespace bloometry
