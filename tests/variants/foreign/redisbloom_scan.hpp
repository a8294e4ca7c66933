#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "variants/foreign/redisbloom/redisbloom_filter.hpp"

namespace bloometry::test {

/// Returns all replies of BF.SCANDUMP except the last reply, which is empty.
inline std::vector<RedisBloomChunk> scan(const RedisBloomFilter& filter,
                                         std::uint64_t max_chunk_bytes = kRedisBloomMaxChunkBytes) {
  std::vector<RedisBloomChunk> chunks;
  RedisBloomChunk chunk = filter.scan_dump(0, max_chunk_bytes);
  for (; chunk.iterator != 0; chunk = filter.scan_dump(chunk.iterator, max_chunk_bytes)) {
    chunks.push_back(chunk);
  }
  CHECK(chunk.data.empty());
  return chunks;
}

/// Returns the filter after num_items inserts of the items item-0, item-1, ...
inline RedisBloomFilter with_items(RedisBloomFilter filter, int num_items) {
  for (int i = 0; i < num_items; ++i) filter.insert("item-" + std::to_string(i));
  return filter;
}

}  // namespace bloometry::test
