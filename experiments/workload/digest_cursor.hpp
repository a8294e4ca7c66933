#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/hash/digest.hpp"
#include "experiments/workload/digest_generator.hpp"
#include "experiments/workload/digest_list.hpp"

namespace bloometry {

/// An iterator over consecutive digests in blocks. A block is a view of a stored list, or is
/// computed on demand.
///
///     DigestCursor cursor = store.queries(unit, 0, point.num_queries);
///     for (auto block = cursor.next(); !block.empty(); block = cursor.next()) ...
class DigestCursor {
 public:
  static constexpr std::uint64_t kDigestsPerBlock = 8192;

  /// Creates a cursor over the digests [first, first + count) of a stored list.
  DigestCursor(DigestList list, std::uint64_t first, std::uint64_t count);

  /// Creates a cursor over the keys [first, first + count) of a role. next() hashes the keys block
  /// by block.
  DigestCursor(DigestGenerator generator, KeyRole role, std::uint64_t first, std::uint64_t count);

  /// Returns the next block, or an empty span at the end. The block is valid until the next call.
  [[nodiscard]] std::span<const Digest> next();

 private:
  DigestList list_;
  std::optional<DigestGenerator> generator_;
  std::vector<Digest> buffer_;
  KeyRole role_ = KeyRole::kMember;
  std::uint64_t position_;
  std::uint64_t end_;
};

}  // namespace bloometry
