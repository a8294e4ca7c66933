#include "experiments/bench/floor.hpp"

#include <algorithm>
#include <span>

#include "core/hash/mix.hpp"
#include "core/hash/range_reduction.hpp"

namespace bloometry::bench {
namespace {

constexpr std::uint64_t kWordsPerLine = kCacheLineBytes / sizeof(std::uint64_t);
constexpr std::uint64_t kBitsPerLine = kCacheLineBytes * 8;
constexpr std::uint64_t kKeysAhead = 64;

using Line = std::array<std::uint64_t, kWordsPerLine>;

/// The cache lines of the array. Each key number selects a pseudo-random line.
class Lines {
 public:
  Lines(std::uint64_t* words, std::uint64_t num_lines) noexcept
      : words_(words), num_lines_(num_lines) {}

  [[nodiscard]] std::uint64_t* at(std::uint64_t number) const noexcept {
    const std::uint64_t word = folded_multiply(number + kGoldenGamma, kRemixMultiplier);
    return words_ + kWordsPerLine * fastrange(word, num_lines_);
  }

 private:
  std::uint64_t* words_;
  std::uint64_t num_lines_;
};

void read(const std::uint64_t* line, Line& sum) noexcept {
  for (std::uint64_t i = 0; i < kWordsPerLine; ++i) sum[i] |= line[i];
}

void update(std::uint64_t* line) noexcept {
  for (std::uint64_t i = 0; i < kWordsPerLine; ++i) line[i] += kGoldenGamma;
}

template <bool kIsUpdate>
void touch_line(std::uint64_t* line, Line& sum) noexcept {
  if constexpr (kIsUpdate) {
    update(line);
  } else {
    read(line, sum);
  }
}

template <bool kIsUpdate>
void touch_plain(const Lines& lines, std::uint64_t first, std::uint64_t num_keys,
                 Line& sum) noexcept {
  for (std::uint64_t i = 0; i < num_keys; ++i) touch_line<kIsUpdate>(lines.at(first + i), sum);
}

/// Prefetches the cache line of each key, and accesses that line 64 keys later. A ring buffer
/// contains the addresses of the prefetched lines.
template <bool kIsUpdate>
void touch_prefetched(const Lines& lines, std::uint64_t first, std::uint64_t num_keys,
                      Line& sum) noexcept {
  std::array<std::uint64_t*, kKeysAhead> ring;
  const auto prefetch = [&](std::uint64_t i) {
    ring[i % kKeysAhead] = lines.at(first + i);
    __builtin_prefetch(ring[i % kKeysAhead], kIsUpdate ? 1 : 0);
  };
  for (std::uint64_t i = 0; i < std::min(kKeysAhead, num_keys); ++i) prefetch(i);
  for (std::uint64_t i = 0; i < num_keys; ++i) {
    std::uint64_t* const line = ring[i % kKeysAhead];
    if (i + kKeysAhead < num_keys) prefetch(i + kKeysAhead);
    touch_line<kIsUpdate>(line, sum);
  }
}

}  // namespace

FloorArray::FloorArray(std::uint64_t num_bits)
    : words_((num_bits + kBitsPerLine - 1) / kBitsPerLine * kWordsPerLine) {
  // Without this write, all pages would map to one physical page, which stays in a cache.
  std::fill_n(words_.data(), words_.size(), std::uint64_t{0});
}

std::uint64_t FloorArray::touch(Floor floor, std::uint64_t num_bits, std::uint64_t first_number,
                                std::uint64_t num_keys) noexcept {
  // A filter may have grown beyond the array.
  const std::uint64_t num_lines = std::min(num_bits / kBitsPerLine, words_.size() / kWordsPerLine);
  const Lines lines(words_.data(), std::max<std::uint64_t>(num_lines, 1));
  Line sum{};
  switch (floor) {
    case Floor::kRead:
      touch_plain<false>(lines, first_number, num_keys, sum);
      break;
    case Floor::kReadPrefetched:
      touch_prefetched<false>(lines, first_number, num_keys, sum);
      break;
    case Floor::kUpdate:
      touch_plain<true>(lines, first_number, num_keys, sum);
      break;
    case Floor::kUpdatePrefetched:
      touch_prefetched<true>(lines, first_number, num_keys, sum);
      break;
  }
  std::uint64_t all = 0;
  for (const std::uint64_t word : sum) all |= word;
  return all;
}

}  // namespace bloometry::bench
