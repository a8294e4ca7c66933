#include "variants/split_block/lane_agreement.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/hash/mix.hpp"
#include "core/probe/split_block_bits.hpp"
#include "tests/support/catch.hpp"
#include "variants/split_block/split_block_rates.hpp"

using namespace bloometry;
using namespace bloometry::theory;

namespace {

/// A scheme as Parquet's, small enough to enumerate: the word has few bits, and each lane takes the
/// top bits of its product with an odd salt.
struct SmallScheme {
  unsigned word_bits;
  unsigned lane_bits;  ///< log2 of the bits of a lane
  std::vector<std::uint32_t> salts;

  [[nodiscard]] std::uint32_t num_words() const { return 1U << word_bits; }

  [[nodiscard]] std::uint32_t bit(std::uint32_t word, std::size_t lane) const {
    return (word * salts[lane] & (num_words() - 1)) >> (word_bits - lane_bits);
  }

  /// Returns the set of lanes in which two words agree.
  [[nodiscard]] unsigned agreeing(std::uint32_t u, std::uint32_t v) const {
    unsigned set = 0;
    for (std::size_t i = 0; i < salts.size(); ++i) set |= unsigned{bit(u, i) == bit(v, i)} << i;
    return set;
  }
};

/// Returns the number of words that agree with v in exactly each set of lanes.
std::vector<double> exact_counts(const SmallScheme& scheme, std::uint32_t v) {
  std::vector<double> counts(std::size_t{1} << scheme.salts.size());
  for (std::uint32_t u = 0; u < scheme.num_words(); ++u) ++counts[scheme.agreeing(u, v)];
  return counts;
}

std::vector<LaneAgreement> agreements_of(const SmallScheme& scheme) {
  std::vector<LaneAgreement> by_size(scheme.salts.size(), {.least = scheme.num_words()});
  for (std::uint32_t v = 0; v < scheme.num_words(); ++v) {
    const std::vector<double> counts = exact_counts(scheme, v);
    for (unsigned set = 1; set < counts.size(); ++set) {
      std::uint64_t sum = 0;
      for (unsigned more = set; more < counts.size(); ++more) {
        if ((more & set) == set) sum += static_cast<std::uint64_t>(counts[more]);
      }
      LaneAgreement& of = by_size[static_cast<std::size_t>(std::popcount(set)) - 1];
      of.least = std::min(of.least, sum);
      of.most = std::max(of.most, sum);
      of.num_pairs += sum;
    }
  }
  return by_size;
}

/// Returns the rates of a block with 0, ..., length - 1 members: the mean over all queries of the
/// exact law of the set of covered lanes.
std::vector<double> exact_rates(const SmallScheme& scheme, std::size_t length) {
  std::vector<double> rates(length);
  for (std::uint32_t v = 0; v < scheme.num_words(); ++v) {
    const std::vector<double> counts = exact_counts(scheme, v);
    std::vector<double> covered(counts.size());
    covered[0] = 1;
    for (std::size_t j = 0; j < length; ++j) {
      rates[j] += covered.back() / scheme.num_words();
      std::vector<double> next(counts.size());
      for (std::size_t set = 0; set < counts.size(); ++set) {
        for (std::size_t more = 0; more < counts.size(); ++more) {
          next[set | more] += covered[set] * counts[more] / scheme.num_words();
        }
      }
      covered = next;
    }
  }
  return rates;
}

}  // namespace

TEST_CASE("lane agreement: the bound of small schemes is above the exact rate of every load",
          "[variants][theory]") {
  const auto& scheme = GENERATE(
      SmallScheme{10, 3, {0x1b5, 0x2a3, 0x0d7}}, SmallScheme{11, 4, {0x47b, 0x1f1, 0x35d, 0x6a9}},
      SmallScheme{11, 2, {0x47b, 0x1f1, 0x35d, 0x6a9, 0x2cb}},  // bounds of sets exceed 1 together
      SmallScheme{9, 4, {0x0b5, 0x1a3}}, SmallScheme{8, 3, {0x35, 0x35, 0x35}},  // equal lanes
      SmallScheme{6, 5, {0x1}});
  constexpr std::size_t kLength = 60;
  const std::vector<LaneAgreement> by_size = agreements_of(scheme);
  const std::vector<double> bounds =
      block_rate_bounds({.num_words = double(scheme.num_words()), .by_size = by_size}, kLength);
  const std::vector<double> rates = exact_rates(scheme, kLength);
  CHECK(bounds[0] == 0);
  CHECK(bounds[1] == Approx(rates[1]).epsilon(1e-13));
  CHECK(bounds[2] < 1);
  for (std::size_t j = 2; j < kLength; ++j) {
    INFO(scheme.salts.size() << " lanes, " << j << " members, exact rate " << rates[j]);
    CHECK(bounds[j] >= rates[j] * (1 - 1e-12));
    CHECK(bounds[j] >= bounds[j - 1]);
    CHECK(bounds[j] <= 1);
  }
}

TEST_CASE("lane agreement: the bound of independent lanes is the rate of model P",
          "[variants][theory]") {
  // With this many pairs, more than all pairs of words, the least bound is that without wide
  // members.
  constexpr std::uint64_t kManyPairs = ~std::uint64_t{0};
  std::vector<LaneAgreement> by_size;
  for (unsigned s = 1; s <= 6; ++s) {
    const std::uint64_t count = std::uint64_t{1} << (30 - 5 * s);
    by_size.push_back({count, count, kManyPairs});
  }
  const auto bounds = block_rate_bounds({.num_words = 0x1p30, .by_size = by_size}, 60);
  for (std::size_t j = 1; j < bounds.size(); ++j) {
    const double rate = std::pow(-std::expm1(double(j) * std::log1p(-1.0 / 32)), 6);
    CHECK(bounds[j] >= rate * (1 - 1e-12));
    CHECK(bounds[j] <= rate * (1 + 1e-12));
  }
}

namespace {

/// Numbers of words that agree with words of Parquet's scheme in the lanes of a set, by
/// enumeration.
class ParquetCounts {
 public:
  explicit ParquetCounts(unsigned set) {
    for (unsigned i = 0; i < 8; ++i) {
      if ((set >> i & 1U) != 0) lanes_.push_back(i);
    }
    counts_.resize(std::size_t{1} << 5 * (lanes_.size() - 1));
  }

  /// Counts the words whose bit in the first lane of the set is given. Calls visit(count) for the
  /// numbers of words that share their bits in all lanes of the set.
  template <class Visit>
  void for_each(std::uint32_t first_bit, Visit visit) {
    std::fill(counts_.begin(), counts_.end(), std::uint32_t{0});
    const std::uint32_t inverse = inverse_of(block::kSalts[lanes_[0]]);
    for (std::uint32_t low = 0; low < 1U << 27U; ++low) {
      const std::uint32_t word = (first_bit << 27U | low) * inverse;
      std::size_t bits = 0;
      for (std::size_t i = 1; i < lanes_.size(); ++i) {
        bits = bits << 5U | block::split_block_bit(word, lanes_[i]);
      }
      ++counts_[bits];
    }
    for (const std::uint32_t count : counts_) visit(count);
  }

 private:
  /// Returns the inverse of an odd number modulo 2^32, by Newton's iteration.
  static std::uint32_t inverse_of(std::uint32_t x) {
    std::uint32_t inverse = x;
    for (int i = 0; i < 4; ++i) inverse *= 2 - x * inverse;
    return inverse;
  }

  std::vector<unsigned> lanes_;
  std::vector<std::uint32_t> counts_;  // [bits in the other lanes]
};

/// Returns the agreements of Parquet's scheme in sets of s lanes, with the given number of
/// processed sets and of bits of the first lane.
LaneAgreement enumerated(unsigned s, unsigned num_sets, unsigned num_first_bits) {
  LaneAgreement of{.least = ~std::uint64_t{0}};
  for (unsigned set = 1; set < 256 && num_sets > 0; ++set) {
    if (static_cast<unsigned>(std::popcount(set)) != s) continue;
    --num_sets;
    ParquetCounts counts(set);
    for (unsigned first = 0; first < num_first_bits; ++first) {
      counts.for_each(first, [&](std::uint64_t count) {
        // If a number is 0, the bits do not occur.
        if (count > 0) of.least = std::min(of.least, count);
        of.most = std::max(of.most, count);
        of.num_pairs += count * count;
      });
    }
  }
  return of;
}

}  // namespace

TEST_CASE("lane agreement: some words of Parquet's scheme", "[variants][theory][exhaustive]") {
  for (unsigned s = 2; s <= 5; ++s) {
    const LaneAgreement some = enumerated(s, 1, 1);
    const LaneAgreement& of = parquet_agreements().by_size[s - 1];
    INFO(s << " lanes");
    CHECK(some.least >= of.least);
    CHECK(some.most <= of.most);
  }
}

TEST_CASE("lane agreement: every word of Parquet's scheme", "[variants][theory][.long]") {
  const unsigned num_sets[] = {8, 28, 56, 70, 56, 28};
  for (unsigned s = 1; s <= 6; ++s) {
    const LaneAgreement all = enumerated(s, num_sets[s - 1], 32);
    const LaneAgreement& of = parquet_agreements().by_size[s - 1];
    INFO(s << " lanes");
    CHECK(all.least == of.least);
    CHECK(all.most == of.most);
    CHECK(all.num_pairs == of.num_pairs);
  }
}

TEST_CASE("lane agreement: all pairs of words that agree in seven lanes of Parquet's scheme",
          "[variants][theory][.long]") {
  // Words u and u + d agree in a lane only if the product of d and the salt is near 0.
  std::uint64_t num_pairs = 8 * (std::uint64_t{1} << 32U);  // d = 0
  for (std::uint64_t d = 1; d < std::uint64_t{1} << 32U; ++d) {
    std::array<std::uint32_t, 8> product{};
    unsigned num_near = 0;
    for (unsigned i = 0; i < 8; ++i) {
      product[i] = static_cast<std::uint32_t>(d) * block::kSalts[i];
      num_near += product[i] + 0x7ffffffU < 0xfffffffU ? 1 : 0;
    }
    if (num_near < 7) continue;
    for (std::uint64_t u = 0; u < std::uint64_t{1} << 32U; ++u) {
      unsigned num_equal = 0;
      for (unsigned i = 0; i < 8; ++i) {
        const std::uint32_t bits = static_cast<std::uint32_t>(u) * block::kSalts[i];
        num_equal += (bits ^ (bits + product[i])) >> 27U == 0 ? 1 : 0;
      }
      num_pairs += num_equal == 7 ? 1 : 0;
    }
  }
  CHECK(num_pairs == parquet_agreements().by_size[6].num_pairs);
}
