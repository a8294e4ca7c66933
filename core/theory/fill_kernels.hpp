#pragma once

#include <cstddef>

#include "core/isa/isa.hpp"

namespace bloometry::theory {

/// The loops that need most of the time of the laws of the fill. All instruction sets give
/// identical results, because each computes an element by the same operations in the same order.
struct FillKernels {
  /// Sums are written in blocks of this size.
  static constexpr std::size_t kBlockSize = 16;

  /// Applies one probe, which is known to miss `taken` of the set bits, to an array of num_bits
  /// bits. From the probabilities `before` of first, first + 1, ... set bits it computes those
  /// `after` it,
  ///
  ///   after[i] = (before[i] (x - taken) + before[i-1] (num_bits - x + 1)) / (num_bits - taken)
  ///
  /// with x = first + i and before[-1] = 0. Both have `size` elements.
  void (*throw_probe)(const double* before, double* after, std::size_t size, double first,
                      double taken, double num_bits);

  /// Computes sums[s] = sum of a[i] b[s-i] over ascending i, for s < num_a + num_b - 1. Before and
  /// after b, kBlockSize - 1 elements must be 0. sums is padded to whole blocks.
  void (*convolve)(const double* a, std::size_t num_a, const double* b, std::size_t num_b,
                   double* sums);
};

extern const FillKernels kBaselineFillKernels;
extern const FillKernels kAvx2FillKernels;    // on x86-64 only
extern const FillKernels kAvx512FillKernels;  // on x86-64 only

/// Returns the kernels for an instruction set.
/// @param isa one that this machine runs
[[nodiscard]] const FillKernels& fill_kernels(Isa isa) noexcept;

}  // namespace bloometry::theory
