#include "variants/foreign/redisbloom/redisbloom_dump.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/hash/little_endian.hpp"
#include "core/text.hpp"

namespace bloometry {
namespace {

// Bits of the header's field "options".
constexpr std::uint32_t kNoRounding = 1;
constexpr std::uint32_t kHashOf64Bits = 4;
constexpr std::uint32_t kNonScaling = 8;

ConfigError refused(const std::string& allowed, const std::string& got) {
  return {"redisbloom dump", "must have " + allowed + ", got " + got};
}

ConfigError refused(const std::string& allowed, std::uint64_t got) {
  return refused(allowed, std::to_string(got));
}

/// Returns the number of links in words, such as "1 link".
std::string links_text(std::uint32_t num_links) {
  return std::to_string(num_links) + (num_links == 1 ? " link" : " links");
}

ConfigError wrong_header_size(std::uint64_t size, std::uint32_t num_links, std::uint64_t got) {
  return refused("a header of " + std::to_string(size) + " bytes for " + links_text(num_links),
                 got);
}

/// Reads the fields of a header in order. The caller ensures that the bytes contain all fields.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : bytes_(bytes) {}

  template <class Word>
  Word next() {
    const Word word = load_little_endian<Word>(bytes_.data());
    bytes_.remove_prefix(sizeof word);
    return word;
  }

  double next_double() { return std::bit_cast<double>(next<std::uint64_t>()); }

 private:
  std::string_view bytes_;
};

/// The fields of a link, in the order of the header.
struct LinkFields {
  explicit LinkFields(Fields& fields)
      : num_bytes(fields.next<std::uint64_t>()),
        num_bits(fields.next<std::uint64_t>()),
        num_items(fields.next<std::uint64_t>()),
        error_rate(fields.next_double()),
        bits_per_entry(fields.next_double()),
        num_hashes(fields.next<std::uint32_t>()),
        capacity(fields.next<std::uint64_t>()),
        log2_num_bits(fields.next<std::uint8_t>()) {}

  std::uint64_t num_bytes;
  std::uint64_t num_bits;
  std::uint64_t num_items;
  double error_rate;
  double bits_per_entry;
  std::uint32_t num_hashes;
  std::uint64_t capacity;
  std::uint8_t log2_num_bits;
};

RedisBloomOptions options_of(std::uint32_t options, std::uint32_t expansion) {
  constexpr std::uint32_t kKnown = kNoRounding | kHashOf64Bits | kNonScaling;
  if ((options & ~kKnown) != 0 || (options & kHashOf64Bits) == 0) {
    throw refused("options 4, 5, 12 or 13, with a hash of 64 bits", options);
  }
  const bool is_scaling = (options & kNonScaling) == 0;
  if (is_scaling && expansion == 0) {
    throw refused("an expansion of at least 1 in a filter that scales", expansion);
  }
  return {.expansion = expansion,
          .is_scaling = is_scaling,
          .sizing = (options & kNoRounding) != 0 ? RedisBloomSizing::kWholeWords
                                                 : RedisBloomSizing::kPowerOfTwo};
}

void check_size(const LinkFields& link, RedisBloomSizing sizing, const std::string& where) {
  const bool has_whole_words = link.num_bytes != 0 && link.num_bytes % 8 == 0;
  if (!has_whole_words || link.num_bytes > std::numeric_limits<std::int64_t>::max() / 8) {
    throw refused("a positive multiple of 8 bytes below 2^60" + where, link.num_bytes);
  }
  if (link.num_bits != 8 * link.num_bytes) {
    throw refused(std::to_string(8 * link.num_bytes) + " bits, 8 per byte," + where, link.num_bits);
  }
  const unsigned n2 = link.log2_num_bits;
  if (sizing == RedisBloomSizing::kWholeWords) {
    if (n2 != 0) throw refused("an n2 of 0 with option 1" + where, n2);
    return;
  }
  if (!std::has_single_bit(link.num_bits)) {
    throw refused("a number of bits that is a power of two, without option 1," + where,
                  link.num_bits);
  }
  // A link of less than 64 bits has a word of 64 bits.
  if (link.num_bits == 64 && (n2 == 0 || n2 > 6)) {
    throw refused("an n2 in [1, 6] for 64 bits" + where, n2);
  }
  const auto log2 = static_cast<unsigned>(std::countr_zero(link.num_bits));
  if (link.num_bits > 64 && n2 != log2) {
    throw refused("an n2 of " + std::to_string(log2) + ", the log2 of its " +
                      std::to_string(link.num_bits) + " bits," + where,
                  n2);
  }
}

void check_hashes(const LinkFields& link, const std::string& where) {
  if (!(link.error_rate > 0 && link.error_rate < 1)) {
    throw refused("an error in (0, 1)" + where, shortest_text(link.error_rate));
  }
  // The logarithms of other machines may differ in the last digit. With a larger difference, a dump
  // could specify so many hashes that every lookup needs minutes.
  const double expected = redisbloom_bits_per_entry(link.error_rate);
  if (!(std::abs(link.bits_per_entry - expected) <= 1e-12 * expected)) {
    throw refused("a bpe of " + shortest_text(expected) + " for its error" + where,
                  shortest_text(link.bits_per_entry));
  }
  const double num_hashes = redisbloom_num_hashes(link.bits_per_entry);
  if (num_hashes != static_cast<double>(link.num_hashes)) {
    throw refused(shortest_text(num_hashes) + " hashes for its bpe" + where, link.num_hashes);
  }
}

RedisBloomHeader::Link checked(const LinkFields& link, RedisBloomSizing sizing,
                               std::size_t number) {
  const std::string where = " in link " + std::to_string(number);
  check_size(link, sizing, where);
  check_hashes(link, where);
  if (link.capacity == 0) throw refused("at least 1 entry" + where, link.capacity);
  const std::uint64_t num_bits = sizing == RedisBloomSizing::kPowerOfTwo
                                     ? std::uint64_t{1} << link.log2_num_bits
                                     : link.num_bits;
  return {.shape = {.num_bits = num_bits,
                    .capacity = link.capacity,
                    .error_rate = link.error_rate,
                    .bits_per_entry = link.bits_per_entry,
                    .num_hashes = link.num_hashes,
                    .sizing = sizing},
          .num_items = link.num_items};
}

void check_total(std::uint64_t total, const std::vector<RedisBloomHeader::Link>& links) {
  std::uint64_t sum = 0;
  for (const auto& link : links) {
    if (link.num_items > std::numeric_limits<std::uint64_t>::max() - sum) {
      throw refused("links' sizes with a sum below 2^64",
                    std::to_string(sum) + " + " + std::to_string(link.num_items));
    }
    sum += link.num_items;
  }
  if (sum != total) {
    throw refused("size " + std::to_string(sum) + ", the sum of its links' sizes", total);
  }
}

}  // namespace

std::uint64_t RedisBloomHeader::size_at(std::string_view bytes) {
  if (bytes.size() < kChainBytes) {
    throw refused("a header of at least 20 bytes", bytes.size());
  }
  const auto num_links = load_little_endian<std::uint32_t>(bytes.data() + 8);
  if (num_links == 0) throw refused("at least 1 link", num_links);
  const std::uint64_t size = kChainBytes + kLinkBytes * num_links;
  if (bytes.size() < size) throw wrong_header_size(size, num_links, bytes.size());
  return size;
}

RedisBloomHeader RedisBloomHeader::parse(std::string_view bytes) {
  const std::uint64_t size = size_at(bytes);
  Fields fields(bytes);
  const auto num_items = fields.next<std::uint64_t>();
  const auto num_links = fields.next<std::uint32_t>();
  if (bytes.size() != size) throw wrong_header_size(size, num_links, bytes.size());
  const auto options = fields.next<std::uint32_t>();
  RedisBloomHeader header{.options = options_of(options, fields.next<std::uint32_t>()),
                          .links = {}};
  if (num_links > 1 && !header.options.is_scaling) {
    throw refused("1 link in a filter that does not scale", num_links);
  }
  header.links.reserve(num_links);
  for (std::uint32_t i = 0; i < num_links; ++i) {
    header.links.push_back(checked(LinkFields(fields), header.options.sizing, i));
  }
  check_total(num_items, header.links);
  return header;
}

std::string RedisBloomHeader::serialize() const {
  std::uint64_t num_items = 0;
  for (const Link& link : links) num_items += link.num_items;
  const std::uint32_t rounding = options.sizing == RedisBloomSizing::kWholeWords ? kNoRounding : 0;
  const std::uint32_t scaling = options.is_scaling ? 0 : kNonScaling;
  std::string bytes;
  append_little_endian(bytes, num_items);
  append_little_endian(bytes, static_cast<std::uint32_t>(links.size()));
  append_little_endian(bytes, kHashOf64Bits | rounding | scaling);
  append_little_endian(bytes, options.expansion);
  for (const auto& [shape, link_items] : links) {
    append_little_endian(bytes, shape.num_bytes());
    append_little_endian(bytes, 8 * shape.num_bytes());
    append_little_endian(bytes, link_items);
    append_little_endian(bytes, std::bit_cast<std::uint64_t>(shape.error_rate));
    append_little_endian(bytes, std::bit_cast<std::uint64_t>(shape.bits_per_entry));
    append_little_endian(bytes, std::uint32_t{shape.num_hashes});
    append_little_endian(bytes, shape.capacity);
    append_little_endian(bytes, static_cast<std::uint8_t>(shape.log2_num_bits()));
  }
  return bytes;
}

}  // namespace bloometry
