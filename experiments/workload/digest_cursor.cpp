#include "experiments/workload/digest_cursor.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace bloometry {

DigestCursor::DigestCursor(DigestList list, std::uint64_t first, std::uint64_t count)
    : list_(std::move(list)), position_(first), end_(first + count) {
  assert(end_ <= list_->size());
}

DigestCursor::DigestCursor(DigestGenerator generator, KeyRole role, std::uint64_t first,
                           std::uint64_t count)
    : generator_(std::move(generator)),
      buffer_(std::min(count, kDigestsPerBlock)),
      role_(role),
      position_(first),
      end_(first + count) {}

std::span<const Digest> DigestCursor::next() {
  const std::uint64_t first = position_;
  const std::uint64_t count = std::min(kDigestsPerBlock, end_ - first);
  position_ += count;
  if (list_) return std::span(*list_).subspan(first, count);
  const std::span<Digest> block = std::span(buffer_).first(count);
  generator_->fill(role_, first, block);
  return block;
}

}  // namespace bloometry
