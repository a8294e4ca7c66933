#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace bloometry {

/// Calls visit(p) for each LF in [begin, end), one byte at a time. for_each_line_end_scalar() is
/// the reference for for_each_line_end().
template <class Visit>
void for_each_line_end_scalar(const char* begin, const char* end, Visit visit) {
  for (const char* p = begin; p < end; ++p) {
    if (*p == '\n') visit(p);
  }
}

#if defined(__SSE2__)

/// Returns a mask whose bit i is set if byte i of the 64 bytes from p on is LF.
[[nodiscard]] inline std::uint64_t line_end_mask(const char* p) noexcept {
  const __m128i line_feed = _mm_set1_epi8('\n');
  std::uint64_t mask = 0;
  for (int quarter = 0; quarter < 4; ++quarter) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p) + quarter);
    const auto bits =
        static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, line_feed)));
    mask |= std::uint64_t{bits} << (16 * quarter);
  }
  return mask;
}

/// Calls visit(p) for each LF in [begin, end), in order. The function reads 64 bytes at a time. The
/// function does not use memchr, because lines are short and memchr would be called once per line.
template <class Visit>
void for_each_line_end(const char* begin, const char* end, Visit visit) {
  const char* p = begin;
  for (; end - p >= 64; p += 64) {
    for (std::uint64_t mask = line_end_mask(p); mask != 0; mask &= mask - 1) {
      visit(p + std::countr_zero(mask));
    }
  }
  for_each_line_end_scalar(p, end, visit);
}

/// Returns the number of LF characters in [begin, end).
[[nodiscard]] inline std::uint64_t count_line_ends(const char* begin, const char* end) noexcept {
  const __m128i line_feed = _mm_set1_epi8('\n');
  const char* p = begin;
  std::uint64_t count = 0;
  while (end - p >= 64) {
    // A byte lane counts at most 63 rounds of 4 bytes, so that its count stays below 256.
    __m128i counts = _mm_setzero_si128();
    for (int round = 0; round < 63 && end - p >= 64; ++round, p += 64) {
      for (int quarter = 0; quarter < 4; ++quarter) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p) + quarter);
        counts = _mm_sub_epi8(counts, _mm_cmpeq_epi8(bytes, line_feed));
      }
    }
    const __m128i sums = _mm_sad_epu8(counts, _mm_setzero_si128());
    count += static_cast<std::uint64_t>(_mm_cvtsi128_si64(sums)) +
             static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(sums, sums)));
  }
  for_each_line_end_scalar(p, end, [&](const char*) { ++count; });
  return count;
}

#else

template <class Visit>
void for_each_line_end(const char* begin, const char* end, Visit visit) {
  for_each_line_end_scalar(begin, end, visit);
}

[[nodiscard]] inline std::uint64_t count_line_ends(const char* begin, const char* end) noexcept {
  std::uint64_t count = 0;
  for_each_line_end_scalar(begin, end, [&](const char*) { ++count; });
  return count;
}

#endif

}  // namespace bloometry
