#include "variants/foreign/redisbloom/redisbloom_filter.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/contract/compatible.hpp"
#include "core/error.hpp"
#include "core/store/unused_bits.hpp"
#include "core/store/word_bytes.hpp"
#include "core/text.hpp"

namespace bloometry {
namespace {

/// Error rate of a link divided by that of the previous link. The first link of a chain has half
/// the requested error rate.
constexpr double kTightening = 0.5;
constexpr double kMaxErrorRate = 0.25;

/// Returns the total size of the bit arrays of all links in bytes.
/// @throws ConfigError if the size exceeds `limit`. The sum stops at `limit`, so the sum cannot
/// overflow.
std::uint64_t num_data_bytes(const RedisBloomHeader& header, std::uint64_t limit) {
  std::uint64_t sum = 0;
  for (const auto& link : header.links) {
    const std::uint64_t size = link.shape.num_bytes();
    if (size > limit - sum) {
      throw ConfigError("redisbloom dump", "must have at least " + std::to_string(sum + size) +
                                               " bytes of data, as its header states, got " +
                                               std::to_string(limit));
    }
    sum += size;
  }
  return sum;
}

/// Checks the unused bits of a link of less than a word. An index never refers to these bits.
/// @throws ConfigError if an unused bit is set.
void require_unused_bits_clear(const RedisBloomLink& link, std::size_t number) {
  const std::uint64_t num_bits = link.shape().num_bits;
  const std::optional<std::uint64_t> bit = first_unused_bit_set(link.bits().words(), num_bits);
  if (!bit) return;
  throw ConfigError("redisbloom dump",
                    "must not have bits set from bit " + std::to_string(num_bits) + " on in link " +
                        std::to_string(number) + ", got bit " + std::to_string(*bit));
}

/// Checks the number of items of a link. The module counts an item only if the item sets a bit. The
/// function does not check the smallest number of items, because the module may add items between
/// the header and the last chunk of a dump.
/// @throws ConfigError if the link has more items than set bits.
void require_possible_items(const RedisBloomLink& link, std::size_t number) {
  const std::uint64_t num_ones = link.bits().count();
  if (link.num_items() <= num_ones) return;
  throw ConfigError("redisbloom dump", "must have at most " + std::to_string(num_ones) +
                                           " items in link " + std::to_string(number) +
                                           ", because each item sets a bit, got " +
                                           std::to_string(link.num_items()));
}

/// A position in a link at which a chunk begins.
struct Piece {
  std::uint64_t first = 0;  ///< position of the chunk in the link, in bytes
  std::uint64_t left = 0;   ///< number of bytes from `first` to the end of the link
  std::size_t link = 0;
};

/// Returns the position of byte `offset` of the data of all links. If `offset` is past the end,
/// `left` is 0.
Piece piece_at(const std::vector<RedisBloomHeader::Link>& links, std::uint64_t offset) {
  for (std::size_t i = 0; i < links.size(); ++i) {
    const std::uint64_t size = links[i].shape.num_bytes();
    if (offset < size) return {.first = offset, .left = size - offset, .link = i};
    offset -= size;
  }
  return {};
}

/// Returns the bytes [first, first + size) of the bit array.
std::string bytes_of(const BitArray<>& bits, std::uint64_t first, std::uint64_t size) {
  const std::uint64_t end_word = (first + size + 7) / 8;
  std::string bytes;
  bytes.reserve(size + 14);
  append_word_bytes(bytes, bits.words().subspan(first / 8, end_word - first / 8));
  return bytes.substr(first % 8, size);
}

}  // namespace

RedisBloomShape RedisBloomFilter::first_link_for(std::uint64_t capacity, double error_rate,
                                                 const RedisBloomOptions& options) {
  if (options.is_scaling && options.expansion == 0) {
    throw ConfigError("expansion", "must be at least 1 in a filter that scales, got 0");
  }
  require_redisbloom_error_rate(error_rate);
  const double capped = std::min(error_rate, kMaxErrorRate);
  return RedisBloomShape::for_capacity(capacity, options.is_scaling ? capped * kTightening : capped,
                                       options.sizing);
}

RedisBloomFilter RedisBloomFilter::for_capacity(std::uint64_t capacity, double error_rate,
                                                const RedisBloomOptions& options) {
  RedisBloomFilter filter(options);
  filter.links_.emplace_back(first_link_for(capacity, error_rate, options));
  return filter;
}

RedisBloomFilter RedisBloomFilter::parse(std::string_view bytes) {
  const std::uint64_t header_size = RedisBloomHeader::size_at(bytes);
  const auto header = RedisBloomHeader::parse(bytes.substr(0, header_size));
  std::string_view data = bytes.substr(header_size);
  const std::uint64_t expected = num_data_bytes(header, data.size());
  if (expected != data.size()) {
    throw ConfigError("redisbloom dump", "must have " + std::to_string(expected) +
                                             " bytes of data, as its header states, got " +
                                             std::to_string(data.size()));
  }
  RedisBloomFilter filter(header.options);
  filter.links_.reserve(header.links.size());
  for (const auto& [shape, num_items] : header.links) {
    RedisBloomLink& link = filter.links_.emplace_back(shape, num_items);
    read_word_bytes(data.substr(0, shape.num_bytes()), link.bits().words());
    data.remove_prefix(shape.num_bytes());
    require_unused_bits_clear(link, filter.links_.size() - 1);
    require_possible_items(link, filter.links_.size() - 1);
  }
  return filter;
}

RedisBloomFilter RedisBloomFilter::load(std::span<const RedisBloomChunk> chunks) {
  if (chunks.empty() || chunks[0].iterator != 1) {
    throw ConfigError(
        "redisbloom dump",
        "must begin with the header, under iterator 1, got " +
            (chunks.empty() ? "0 chunks" : "iterator " + std::to_string(chunks[0].iterator)));
  }
  std::string bytes = chunks[0].data;
  const auto header = RedisBloomHeader::parse(bytes);
  std::uint64_t delivered = 0;
  for (const RedisBloomChunk& chunk : chunks.subspan(1)) {
    const std::uint64_t expected = 1 + delivered + chunk.data.size();
    if (!std::in_range<std::uint64_t>(chunk.iterator) ||
        static_cast<std::uint64_t>(chunk.iterator) != expected) {
      throw ConfigError("redisbloom dump", "must have iterator " + std::to_string(expected) +
                                               ", 1 + the bytes so far, got " +
                                               std::to_string(chunk.iterator));
    }
    const Piece piece = piece_at(header.links, delivered);
    if (piece.left == 0) {
      throw ConfigError("redisbloom dump", "must end after its last link, got a chunk of " +
                                               std::to_string(chunk.data.size()) +
                                               (chunk.data.size() == 1 ? " byte" : " bytes"));
    }
    if (chunk.data.empty() || chunk.data.size() > piece.left) {
      throw ConfigError("redisbloom dump",
                        "must have a chunk of 1 to " + std::to_string(piece.left) +
                            " bytes, within one link, got " + std::to_string(chunk.data.size()));
    }
    bytes += chunk.data;
    delivered += chunk.data.size();
  }
  return parse(bytes);
}

RedisBloomReply RedisBloomFilter::insert(KeyView key) {
  const Digest digest = hasher_(key);
  const auto has_digest = [&](const RedisBloomLink& link) { return link.contains(digest); };
  if (std::any_of(links_.rbegin(), links_.rend(), has_digest)) return RedisBloomReply::kPresent;
  if (links_.back().is_full()) {
    if (!options_.is_scaling) return RedisBloomReply::kFull;
    const RedisBloomShape& last = links_.back().shape();
    const std::uint64_t capacity = last.capacity * options_.expansion;
    if (capacity / options_.expansion != last.capacity) {
      throw ConfigError("capacity", "must be below 2^64 in the next link, got " +
                                        std::to_string(last.capacity) + " * " +
                                        std::to_string(options_.expansion));
    }
    links_.emplace_back(
        RedisBloomShape::for_capacity(capacity, last.error_rate * kTightening, options_.sizing));
  }
  links_.back().insert(digest);
  return RedisBloomReply::kAdded;
}

bool RedisBloomFilter::contains(KeyView key) const noexcept {
  const Digest digest = hasher_(key);
  return std::any_of(links_.rbegin(), links_.rend(),
                     [&](const RedisBloomLink& link) { return link.contains(digest); });
}

void RedisBloomFilter::merge(const RedisBloomFilter& other) {
  require_like(other);
  links_.front().merge(other.links_.front());
}

void RedisBloomFilter::intersect(const RedisBloomFilter& other) {
  require_like(other);
  links_.front().intersect(other.links_.front());
}

void RedisBloomFilter::require_like(const RedisBloomFilter& other) const {
  for (const RedisBloomFilter* filter : {this, &other}) {
    if (filter->links_.size() == 1) continue;
    throw ConfigError("num_links", "must be 1 in both filters, got " +
                                       std::to_string(filter->links_.size()) +
                                       ", because links of different sizes cannot be combined");
  }
  const RedisBloomShape& ours = links_.front().shape();
  const RedisBloomShape& theirs = other.links_.front().shape();
  require_equal("num_bits", ours.num_bits, theirs.num_bits);
  require_equal("num_hashes", ours.num_hashes, theirs.num_hashes);
  require_equal("capacity", ours.capacity, theirs.capacity);
  require_equal("error_rate", shortest_text(ours.error_rate), shortest_text(theirs.error_rate));
  require_equal("is_scaling", options_.is_scaling ? "yes" : "no",
                other.options_.is_scaling ? "yes" : "no");
  require_equal("expansion", options_.expansion, other.options_.expansion);
}

RedisBloomFilter RedisBloomFilter::fold(std::uint64_t divisor) const {
  RedisBloomFilter filter(options_);
  filter.links_.reserve(links_.size());
  for (const RedisBloomLink& link : links_) filter.links_.push_back(link.fold(divisor));
  return filter;
}

std::string RedisBloomFilter::serialize() const {
  std::string bytes = header().serialize();
  for (const RedisBloomLink& link : links_) append_word_bytes(bytes, link.bits().words());
  return bytes;
}

RedisBloomChunk RedisBloomFilter::scan_dump(std::int64_t iterator,
                                            std::uint64_t max_chunk_bytes) const {
  const RedisBloomHeader head = header();
  if (iterator == 0) return {.iterator = 1, .data = head.serialize()};
  // A negative iterator is converted to a position far past the end.
  const Piece piece = piece_at(head.links, static_cast<std::uint64_t>(iterator) - 1);
  const std::uint64_t size = std::min(piece.left, max_chunk_bytes);
  if (size == 0) return {};
  return {.iterator = iterator + static_cast<std::int64_t>(size),
          .data = bytes_of(links_[piece.link].bits(), piece.first, size)};
}

std::uint64_t RedisBloomFilter::num_bits() const noexcept {
  std::uint64_t sum = 0;
  for (const RedisBloomLink& link : links_) sum += link.shape().num_bits;
  return sum;
}

std::uint64_t RedisBloomFilter::num_items() const noexcept {
  std::uint64_t sum = 0;
  for (const RedisBloomLink& link : links_) sum += link.num_items();
  return sum;
}

std::string_view RedisBloomFilter::why_no_exact_rate() noexcept {
  return "the indices of a key are an arithmetic progression modulo the number of bits (double "
         "hashing), which does not follow any of the models W, D and P";
}

RedisBloomHeader RedisBloomFilter::header() const {
  RedisBloomHeader head{.options = options_, .links = {}};
  for (const RedisBloomLink& link : links_) {
    head.links.push_back({.shape = link.shape(), .num_items = link.num_items()});
  }
  return head;
}

}  // namespace bloometry
