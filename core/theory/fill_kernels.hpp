#pragma once

#include <cstddef>

#include "core/isa/isa.hpp"

namespace bloometry::theory {

/// The loops that take most of the time in the computation of a law of the fill. The loops of all
/// instruction sets give identical results, because they compute an element by the same operations
/// in the same order.
struct FillKernels {
  /// Number of sums per written block.
  static constexpr std::size_t kBlockSize = 16;

  /// Applies one probe to an array of num_bits bits. The probe cannot hit `taken` of the set bits.
  /// The elements before[i] and after[i] are the probabilities of first + i set bits before and
  /// after the probe:
  ///
  ///   after[i] = (before[i] (x - taken) + before[i-1] (num_bits - x + 1)) / (num_bits - taken)
  ///
  /// In the formula, x = first + i and before[-1] = 0. The arrays before and after have `size`
  /// elements.
  void (*throw_probe)(const double* before, double* after, std::size_t size, double first,
                      double taken, double num_bits);

  /// Computes sums[s] = sum of a[i] b[s-i] over ascending i, for s < num_a + num_b - 1. The
  /// kBlockSize - 1 elements before b and after b must be 0. The array sums is padded to whole
  /// blocks.
  void (*convolve)(const double* a, std::size_t num_a, const double* b, std::size_t num_b,
                   double* sums);
};

extern const FillKernels kBaselineFillKernels;
extern const FillKernels kAvx2FillKernels;    // on x86-64 only
extern const FillKernels kAvx512FillKernels;  // on x86-64 only

/// Returns the kernels for an instruction set.
/// @param isa an instruction set that this machine supports
[[nodiscard]] const FillKernels& fill_kernels(Isa isa) noexcept;

}  // namespace bloometry::theory
