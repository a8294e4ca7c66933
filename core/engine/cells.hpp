#pragma once

#include <concepts>
#include <cstdint>
#include <utility>

#include "core/contract/compatible.hpp"
#include "core/contract/filter_spec.hpp"
#include "core/contract/filter_state.hpp"
#include "core/store/bit_array.hpp"
#include "core/store/bucket_array.hpp"
#include "core/store/counter_array.hpp"

/// Kinds of cells of a filter. A kind defines how the engines allocate, count and compare cells.
namespace bloometry {

/// Cells of one bit. The hooks receive the cells as a BitArray, which has set(i), test(i), size()
/// and count().
struct Bits {
  template <class Memory>
  using Store = BitArray<Memory>;

  static constexpr unsigned kCellBits = 1;

  [[nodiscard]] static std::uint64_t num_words_for(const Geometry& geometry) noexcept {
    return BitArray<>::num_words_for(geometry.num_cells);
  }

  template <class Memory>
  [[nodiscard]] static Store<Memory> make(const Geometry& geometry, const Memory& memory) {
    return Store<Memory>(geometry.num_cells, memory);
  }

  /// Returns call(cells), where `cells` is the representation with the fastest access.
  [[gnu::always_inline]] static inline decltype(auto) with_width(auto& bits, auto call) noexcept {
    return call(bits);
  }

  [[nodiscard]] static bool is_set(const auto& bits, std::uint64_t i) noexcept {
    return bits.test(i);
  }

  [[nodiscard]] static std::uint64_t num_bits(const auto& bits) noexcept { return bits.size(); }

  /// Returns the number of non-zero cells of an array. The function num_set_in_either returns the
  /// number of positions at which the cell of at least one of two arrays is non-zero.
  [[nodiscard]] static std::uint64_t num_set(const auto& bits) noexcept { return bits.count(); }

  [[nodiscard]] static std::uint64_t num_set_in_either(const auto& a, const auto& b) noexcept {
    return a.count_either(b);
  }

  static void count(const auto& bits, FilterState& state) noexcept {
    state.num_ones = bits.count();
  }

  static void require_compatible(const auto& a, const auto& b) {
    require_equal("num_bits", a.size(), b.size());
  }
};

/// Counters whose width is a compile-time constant, so that an access needs half the instructions.
/// The type Array is a reference to an array, or a view.
template <class Array, unsigned kWidth>
class FixedWidth {
 public:
  explicit FixedWidth(Array counters) noexcept : counters_(counters) {}

  [[nodiscard]] unsigned get(std::uint64_t i) const noexcept {
    return counters_.template get<kWidth>(i);
  }

  void set(std::uint64_t i, unsigned value) noexcept { counters_.template set<kWidth>(i, value); }

  unsigned increment(std::uint64_t i) noexcept { return counters_.template increment<kWidth>(i); }

  unsigned decrement_unless(unsigned stuck, std::uint64_t i) noexcept {
    return counters_.template decrement_unless<kWidth>(stuck, i);
  }

  unsigned add_saturating(std::uint64_t i, unsigned amount) noexcept {
    return counters_.template add_saturating<kWidth>(i, amount);
  }

  [[nodiscard]] unsigned max_value() const noexcept {
    return counters_.template max_value<kWidth>();
  }

  void prefetch_to_read(std::uint64_t i) const noexcept { counters_.prefetch_to_read(i); }

  void prefetch_to_write(std::uint64_t i) const noexcept { counters_.prefetch_to_write(i); }

  [[nodiscard]] auto view() const noexcept {
    using View = decltype(counters_.view());
    return FixedWidth<View, kWidth>(counters_.view());
  }

 private:
  Array counters_;
};

/// Type of the view that a loop makes of the cells that with_width passes.
template <class Cells>
using LocalCells = decltype(std::declval<Cells&>().view());

/// Cells that are counters. The hooks receive the cells as a CounterArray, which has get(i),
/// increment(i), decrement_unless(stuck, i), add_saturating(i, amount) and max_value(). The
/// operations are compiled once for any width. If kUsualWidth is not 0, the operations are compiled
/// a second time for the constant width kUsualWidth.
template <unsigned kUsualWidth = 0>
struct Counters {
  template <class Memory>
  using Store = CounterArray<Memory>;

  [[nodiscard]] static std::uint64_t num_words_for(const Geometry& geometry) noexcept {
    return CounterArray<>::num_words_for(geometry.num_cells, geometry.cell_bits);
  }

  template <class Memory>
  [[nodiscard]] static Store<Memory> make(const Geometry& geometry, const Memory& memory) {
    return Store<Memory>(geometry.num_cells, geometry.cell_bits, memory);
  }

  template <class Array>
  [[gnu::always_inline]] static inline decltype(auto) with_width(Array& counters,
                                                                 auto call) noexcept {
    if constexpr (kUsualWidth != 0) {
      if (counters.counter_bits() == kUsualWidth) {
        FixedWidth<Array&, kUsualWidth> fixed(counters);
        return call(fixed);
      }
    }
    return call(counters);
  }

  [[nodiscard]] static bool is_set(const auto& counters, std::uint64_t i) noexcept {
    return counters.get(i) > 0;
  }

  [[nodiscard]] static std::uint64_t num_bits(const auto& counters) noexcept {
    return counters.num_bits();
  }

  [[nodiscard]] static std::uint64_t num_set(const auto& counters) noexcept {
    return counters.count_nonzero();
  }

  [[nodiscard]] static std::uint64_t num_set_in_either(const auto& a, const auto& b) noexcept {
    return a.count_nonzero_either(b);
  }

  static void count(const auto& counters, FilterState& state) noexcept {
    state.num_counters = counters.size();
    state.num_ones = counters.count_nonzero();
    state.num_saturated = counters.count_saturated();
  }

  static void require_compatible(const auto& a, const auto& b) {
    require_equal("num_counters", a.size(), b.size());
    require_equal("counter_bits", a.counter_bits(), b.counter_bits());
  }
};

/// Counters of 4 bits for block filters, which process whole words of sixteen counters.
struct Nibbles : Counters<4> {
  static constexpr unsigned kCellBits = 4;
};

/// Cells of a table: buckets of block_cells cells, which contain fingerprints. A cell with the
/// value 0 is empty. The hooks receive the cells as a BucketArray.
struct Buckets {
  template <class Memory>
  using Store = BucketArray<Memory>;

  [[nodiscard]] static std::uint64_t num_words_for(const Geometry& geometry) noexcept {
    return BucketArray<>::num_words_for(geometry.num_cells, geometry.cell_bits);
  }

  template <class Memory>
  [[nodiscard]] static Store<Memory> make(const Geometry& geometry, const Memory& memory) {
    return Store<Memory>(geometry.num_cells, geometry.block_cells, geometry.cell_bits, memory);
  }

  [[nodiscard]] static std::uint64_t num_bits(const auto& buckets) noexcept {
    return buckets.num_bits();
  }

  static void count(const auto& buckets, FilterState& state) noexcept {
    state.num_counters = buckets.size();
    state.num_ones = buckets.count_occupied();
  }
};

namespace engine {

/// Checks that the description of a design states the kind of its cells.
template <class Design>
consteval void check_cells() {
  static_assert(
      Design::kDescription.sized_by_counters == !std::same_as<typename Design::Cells, Bits>,
      "a design needs .sized_by_counters = true in kDescription if and only if its cells are "
      "counters, because configs and files depend on it");
}

}  // namespace engine
}  // namespace bloometry
