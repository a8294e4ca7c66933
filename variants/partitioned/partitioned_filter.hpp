#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/contract/variant_description.hpp"
#include "core/engine/cell_filter.hpp"
#include "core/error.hpp"
#include "core/hash/range_reduction.hpp"
#include "core/probe/all_probes.hpp"
#include "core/rates/sizing.hpp"

namespace bloometry {

/// Partitioned Bloom filter, with k slices and one probe in each slice. The partitioned filter is
/// the only classic design whose exact rate has a closed form. A slice can be read, sent or dropped
/// separately.
///
/// Source: Mullin (1983), "A second look at Bloom filters"; model P of theory 1.2.
/// Layout: slice i follows slice i - 1. The first m mod k slices have floor(m/k) + 1 bits, and the
/// others have floor(m/k) bits. The position of probe i in slice i is fastrange of the i-th 64-bit
/// word of the scheme, so the scheme must produce words.
/// Rate given the state: the product of the fill ratios of the slices.
/// Cost: insert and contains are O(num_hashes) and do not allocate.
class PartitionedDesign {
 public:
  static constexpr std::string_view kName = "partitioned";
  static constexpr ProbeModel kModel = ProbeModel::kPartitioned;
  static constexpr VariantDescription kDescription = {
      .summary = "k slices, one probe in each; the exact rate is a closed form",
      .paper = "Mullin 1983",
      .rate_given_state = "prod X_i/w_i, X_i set bits of slice i of w_i bits",
      .probe_passes = ProbePasses::kIfNonzero};
  static constexpr Traits kTraits = {.merge = true, .fold = true, .estimate = true};
  using SupportedProbes = WordProbes;
  using Cells = Bits;

  static Geometry geometry(const FilterSpec& spec) { return checked(bloom_geometry(spec, 1)); }

  [[gnu::always_inline]] static Geometry checked(const Geometry& geometry) {
    if (geometry.num_hashes >= 1 && geometry.num_hashes <= geometry.num_cells) return geometry;
    throw ConfigError("num_hashes", "must be in [1, " + std::to_string(geometry.num_cells) +
                                        "], because each slice needs a bit, got " +
                                        std::to_string(geometry.num_hashes));
  }

  explicit PartitionedDesign(const Geometry& geometry) noexcept
      : slice_bits_(geometry.num_cells / geometry.num_hashes),
        num_longer_(geometry.num_cells % geometry.num_hashes) {}

  /// Returns the position of probe i, where `word` is word i of the scheme.
  [[nodiscard]] std::uint64_t position(std::uint64_t word, unsigned i) const noexcept {
    const std::uint64_t first = i * slice_bits_ + std::min<std::uint64_t>(i, num_longer_);
    return first + fastrange(word, slice_bits_ + static_cast<std::uint64_t>(i < num_longer_));
  }

  /// Computes the positions of a key's probes, slice after slice. InOrder is faster than
  /// position(), because it does not multiply by i.
  class InOrder {
   public:
    explicit InOrder(const PartitionedDesign& design) noexcept
        : slice_bits_(design.slice_bits_), num_longer_(design.num_longer_) {}

    /// Returns the position of the next probe.
    std::uint64_t next(std::uint64_t word) noexcept {
      const std::uint64_t first = first_;
      return first + fastrange(word, skip());
    }

    /// Advances to the next slice. Returns the number of bits of the slice before it.
    std::uint64_t skip() noexcept {
      const std::uint64_t is_longer = num_longer_ > 0 ? 1 : 0;
      first_ += slice_bits_ + is_longer;
      num_longer_ -= is_longer;
      return slice_bits_ + is_longer;
    }

    [[nodiscard]] std::uint64_t first() const noexcept { return first_; }

   private:
    std::uint64_t first_ = 0;
    std::uint64_t slice_bits_;
    std::uint64_t num_longer_;
  };

  [[nodiscard]] InOrder in_order() const noexcept { return InOrder(*this); }

  /// Sets one bit in every slice. Returns the number of bits that changed.
  static unsigned insert(auto& bits, auto&& positions) noexcept {
    unsigned num_changed = 0;
    for (const std::uint64_t i : positions) num_changed += static_cast<unsigned>(bits.set(i));
    return num_changed;
  }

  static bool passes(const auto& bits, std::uint64_t i) noexcept { return bits.test(i); }

  double rate(ProbeModel /*model*/, const auto& bits, const FilterState& /*counts*/,
              unsigned num_hashes) const noexcept {
    double product = 1;
    InOrder slices(*this);
    for (unsigned i = 0; i < num_hashes; ++i) {
      const std::uint64_t first = slices.first();
      const auto num_bits = static_cast<double>(slices.skip());
      product *= static_cast<double>(bits.count(first, slices.first())) / num_bits;
    }
    return product;
  }

  /// Checks that the divisor divides the length of every slice. Slices of two lengths, w and w + 1,
  /// have no common divisor above 1.
  /// @throws ConfigError if `divisor` does not divide the lengths of all slices.
  void require_foldable(const Geometry& geometry, std::uint64_t divisor) const {
    if (num_longer_ == 0) return require_divisor(divisor, "slice bits", slice_bits_);
    if (divisor == 1) return;
    throw ConfigError("fold divisor must be 1 where slices differ in length (num_bits " +
                      std::to_string(geometry.num_cells) + ", num_hashes " +
                      std::to_string(geometry.num_hashes) + "), got " + std::to_string(divisor));
  }

 private:
  std::uint64_t slice_bits_;
  std::uint64_t num_longer_;
};

template <WordProbePolicy Probes = RemixProbes, class Memory = OwnedMemory>
using BasicPartitionedFilter = CellFilter<PartitionedDesign, Probes, Memory>;

using PartitionedFilter = BasicPartitionedFilter<>;

}  // namespace bloometry
