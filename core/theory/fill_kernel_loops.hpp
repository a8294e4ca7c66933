#pragma once

#include <cstddef>

#include "core/theory/fill_kernels.hpp"

// The bodies of FillKernels, for one width of vectors. Each source that includes this file is
// compiled for a different instruction set. The functions must not call inline functions of other
// headers. The linker keeps only one copy of an inline function, whose instructions this machine
// may not support.
namespace bloometry::theory {
namespace {

template <std::size_t kNumLanes>
struct Vector;

template <>
struct Vector<2> {
  using Lanes [[gnu::vector_size(16)]] = double;
  using Unaligned [[gnu::vector_size(16), gnu::aligned(8), gnu::may_alias]] = double;
};

template <>
struct Vector<4> {
  using Lanes [[gnu::vector_size(32)]] = double;
  using Unaligned [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = double;
};

template <>
struct Vector<8> {
  using Lanes [[gnu::vector_size(64)]] = double;
  using Unaligned [[gnu::vector_size(64), gnu::aligned(8), gnu::may_alias]] = double;
};

template <std::size_t kNumLanes>
struct FillLoops {
  using Lanes = typename Vector<kNumLanes>::Lanes;
  using Unaligned = typename Vector<kNumLanes>::Unaligned;

  static void throw_probe(const double* before, double* after, std::size_t size, double first,
                          double taken, double num_bits) {
    const double scale = 1.0 / (num_bits - taken);
    after[0] = before[0] * ((first - taken) * scale);
    // The vectors stays and moves contain whole numbers below 2^53, so additions and subtractions
    // are exact.
    Lanes stays = {};
    Lanes moves = {};
    for (std::size_t lane = 0; lane < kNumLanes; ++lane) {
      const double ones = first + 1.0 + static_cast<double>(lane);
      stays[lane] = ones - taken;
      moves[lane] = num_bits - ones + 1.0;
    }
    std::size_t i = 1;
    for (; i + kNumLanes <= size; i += kNumLanes) {
      const Lanes here = *reinterpret_cast<const Unaligned*>(before + i);
      const Lanes below = *reinterpret_cast<const Unaligned*>(before + i - 1);
      *reinterpret_cast<Unaligned*>(after + i) = (here * stays + below * moves) * scale;
      stays += static_cast<double>(kNumLanes);
      moves -= static_cast<double>(kNumLanes);
    }
    for (; i < size; ++i) {
      const double ones = first + static_cast<double>(i);
      after[i] = (before[i] * (ones - taken) + before[i - 1] * (num_bits - ones + 1.0)) * scale;
    }
  }

  static void convolve(const double* a, std::size_t num_a, const double* b, std::size_t num_b,
                       double* sums) {
    constexpr std::size_t kBlockSize = FillKernels::kBlockSize;
    constexpr std::size_t kNumVectors = kBlockSize / kNumLanes;
    for (std::size_t s = 0; s < num_a + num_b - 1; s += kBlockSize) {
      // Terms beyond the end of b add 0, which does not change a sum.
      const std::size_t begin = s < num_b ? 0 : s - (num_b - 1);
      const std::size_t end = num_a < s + kBlockSize ? num_a : s + kBlockSize;
      Lanes block[kNumVectors] = {};
      for (std::size_t i = begin; i < end; ++i) {
        const double* terms = b + s - i;
        for (std::size_t v = 0; v < kNumVectors; ++v) {
          block[v] += a[i] * *reinterpret_cast<const Unaligned*>(terms + v * kNumLanes);
        }
      }
      for (std::size_t v = 0; v < kNumVectors; ++v) {
        *reinterpret_cast<Unaligned*>(sums + s + v * kNumLanes) = block[v];
      }
    }
  }
};

template <std::size_t kNumLanes>
constexpr FillKernels kFillLoops = {.throw_probe = FillLoops<kNumLanes>::throw_probe,
                                    .convolve = FillLoops<kNumLanes>::convolve};

}  // namespace
}  // namespace bloometry::theory
