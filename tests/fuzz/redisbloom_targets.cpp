#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/hash/little_endian.hpp"
#include "tests/fuzz/checks.hpp"
#include "tests/fuzz/targets.hpp"
#include "variants/foreign/redisbloom/redisbloom_filter.hpp"

namespace bloometry::fuzz {
namespace {

/// Memory limit in bytes per byte of a dump. A link needs 61 bytes in a dump: 53 bytes of header
/// and 8 bytes of bits. In memory, the link becomes a RedisBloomHeader::Link (56 bytes), a
/// RedisBloomLink (at most 104 bytes), and a store of one cache line.
constexpr std::uint64_t kBytesPerByte = 4;

static_assert(sizeof(RedisBloomHeader::Link) + sizeof(RedisBloomLink) + 64 <= kBytesPerByte * 61);

std::vector<RedisBloomChunk> chunks_of(const RedisBloomFilter& filter) {
  std::vector<RedisBloomChunk> chunks;
  for (RedisBloomChunk chunk = filter.scan_dump(0, 24); chunk.iterator != 0;) {
    const std::int64_t next = chunk.iterator;
    chunks.push_back(std::move(chunk));
    chunk = filter.scan_dump(next, 24);
  }
  return chunks;
}

void use(const RedisBloomFilter& filter) {
  const std::string bytes = filter.serialize();
  require(RedisBloomFilter::parse(bytes).serialize() == bytes, "redisbloom: a dump is read again");
  require(RedisBloomFilter::load(chunks_of(filter)).serialize() == bytes,
          "redisbloom: chunks make the filter that they were cut from");
  require_no_lost_key(filter, filter, "redisbloom: an answer does not change");
  for (const std::uint64_t divisor : {std::uint64_t{2}, std::uint64_t{3}}) {
    const auto smaller = folded(filter, divisor);
    if (!smaller) continue;
    require_no_lost_key(filter, *smaller,
                        "redisbloom: a folded filter contains what the filter does");
    const std::string folded_bytes = smaller->serialize();
    require(RedisBloomFilter::parse(folded_bytes).serialize() == folded_bytes,
            "redisbloom: a folded filter is a filter");
  }
  // Inserting keys into a full link opens another link, whose size depends on the capacity and the
  // expansion in the header. The allocation limit does not apply to new links, so scaling filters
  // are not tested further.
  if (filter.options().is_scaling) return;
  RedisBloomFilter more = filter;
  for (const std::string_view key : kKeys) {
    const bool is_full = more.insert(key) == RedisBloomReply::kFull;
    require(is_full || more.contains(key), "redisbloom: a key that was inserted is present");
  }
}

/// Reads the chunks of an input. Each chunk consists of an iterator (8 bytes), a size (2 bytes) and
/// data.
std::vector<RedisBloomChunk> chunks_in(std::string_view input) {
  constexpr std::size_t kFrontBytes = 10;
  std::vector<RedisBloomChunk> chunks;
  while (input.size() >= kFrontBytes) {
    const auto iterator = load_little_endian<std::uint64_t>(input.data());
    const std::size_t size = load_little_endian<std::uint16_t>(input.data() + 8);
    input.remove_prefix(kFrontBytes);
    const std::string_view data = input.substr(0, size);
    input.remove_prefix(data.size());
    chunks.push_back({static_cast<std::int64_t>(iterator), std::string(data)});
  }
  return chunks;
}

}  // namespace

bool run_redisbloom(std::string_view input) {
  const auto filter = accepted(input, kBytesPerByte * input.size() + kConstantBytes,
                               [&] { return RedisBloomFilter::parse(input); });
  if (!filter) return false;
  require(filter->serialize() == input, "redisbloom: what is accepted is written again");
  use(*filter);
  return true;
}

bool run_redisbloom_chunks(std::string_view input) {
  const std::vector<RedisBloomChunk> chunks = chunks_in(input);
  // The header is parsed twice: before the chunks are joined, and as a part of the joined string.
  // The joined string grows by doubling.
  const auto filter = accepted(input, (2 * kBytesPerByte + 3) * input.size() + kConstantBytes,
                               [&] { return RedisBloomFilter::load(chunks); });
  if (!filter) return false;
  use(*filter);
  return true;
}

}  // namespace bloometry::fuzz
