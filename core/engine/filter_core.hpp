#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "core/contract/compatible.hpp"
#include "core/contract/filter_spec.hpp"
#include "core/contract/filter_state.hpp"
#include "core/engine/cells.hpp"
#include "core/engine/design.hpp"
#include "core/engine/inserter.hpp"
#include "core/probe/limits.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/rates/cardinality.hpp"
#include "core/rates/rate_given_state.hpp"
#include "core/rates/sizing.hpp"

namespace bloometry {
namespace engine {

/// Counts of refused erases and skipped decrements.
struct EraseTally {
  std::uint64_t num_refused_erases = 0;
  std::uint64_t num_skipped_decrements = 0;

  void add(const EraseTally& other) noexcept {
    num_refused_erases += other.num_refused_erases;
    num_skipped_decrements += other.num_skipped_decrements;
  }

  void write(FilterState& state) const noexcept {
    state.num_refused_erases = num_refused_erases;
    state.num_skipped_decrements = num_skipped_decrements;
  }
};

struct NoTally {
  void add(const NoTally& /*other*/) noexcept {}

  void write(FilterState& /*state*/) const noexcept {}
};

}  // namespace engine

/// Base class of the filters of all engines. The class contains the cells and their memory, the
/// geometry, the operations on two filters, and the comparison. The filter inherits the public
/// names of its design.
template <class Design, ProbePolicy P, class Memory>
class FilterCore : public Design {
  static_assert(engine::is_described<Design>());

 public:
  using Probes = P;
  using Cells = typename Design::Cells;
  using SupportedProbes = SupportedProbesOf<Design>;
  static constexpr ProbeModel kModel = kModelOf<Design, P>;
  static constexpr std::span<const ParamInfo> kParams = kParamsOf<Design>;

  /// Returns the number of cells and the number of hashes for a spec.
  /// @throws ConfigError if the spec does not determine both numbers, contains a contradiction or
  /// is out of range.
  [[nodiscard]] static Geometry geometry(const FilterSpec& spec) {
    const Params params = resolve_params(Design::kName, kParams, spec.params);
    if constexpr (requires { Design::geometry(spec, params); }) {
      return Design::geometry(spec, params);
    } else {
      return Design::geometry(spec);
    }
  }

  /// Returns the parameters of a filter with the spec: those of the spec, with defaults, and with
  /// the parameters that follow from the size of a limited filter. They contain every parameter
  /// that the spec states, also one that files omit at this value.
  /// @throws ConfigError if `geometry` throws.
  [[nodiscard]] static Params resolved_params(const FilterSpec& spec) {
    const Params params = resolve_params(Design::kName, kParams, spec.params);
    if constexpr (HasParams<Design> && Design::kDescription.is_limited) {
      const Geometry sized = geometry(spec);
      Params resolved = design_for<Design>(sized, params).params(sized);
      resolved.insert(params.begin(), params.end());
      return resolved;
    }
    return params;
  }

  [[nodiscard]] static std::uint64_t num_words_for(const Geometry& geometry) noexcept {
    return Cells::num_words_for(geometry);
  }

  /// @throws ConfigError if `geometry` throws, if the scheme has distinct probes and k > m, or if
  /// borrowed memory does not have the required size or alignment.
  explicit FilterCore(const FilterSpec& spec, const Memory& memory = {})
      : FilterCore(geometry(spec), resolve_params(Design::kName, kParams, spec.params), memory) {}

  /// Makes a filter with default settings.
  explicit FilterCore(const Geometry& geometry, const Memory& memory = {})
      : FilterCore(geometry, resolve_params(Design::kName, kParams, {}), memory) {}

  /// Makes a filter with a setting of the design.
  template <class Setting>

  requires std::constructible_from<Design, const Geometry&, Setting> FilterCore(
      const Geometry& geometry, Setting setting, const Memory& memory = {})
      : FilterCore(Design(geometry, setting), checked(geometry), memory) {}

  /// Adds the keys of the other filter. Each cell becomes the OR of two bits, or the sum of two
  /// counters. A sum is limited to the maximum of a counter. With counters, a key must be erased
  /// from the result as often as it was inserted into the two filters. Every member of one of the
  /// filters is a member of the result. The function also adds the counts of refused erases and
  /// skipped decrements.
  /// @throws ConfigError if the filters are not compatible. The error message names the field in
  /// which the filters differ. If `merge` throws, the filter does not change.
  template <class M>
  void merge(const FilterCore<Design, P, M>& other) requires(Design::kTraits.merge) {
    require_compatible(other);
    cells_.merge(other.cells_);
    tally_.add(other.tally_);
  }

  /// Replaces the bits by the AND of the bits of both filters. The result contains every key that
  /// is in both filters, but may have more set bits than a filter of only the common keys. The rate
  /// of the result is about (f_A + f_B - f_U)^k and at most the rate of either filter (theory 2).
  /// After the call, the result of estimate_count is not an estimate of the number of keys.
  template <class M>
  void intersect(const FilterCore<Design, P, M>& other) requires(Design::kTraits.intersect) {
    require_compatible(other);
    cells_.intersect(other.cells_);
  }

  void clear() noexcept {
    cells_.clear();
    tally_ = {};
  }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return Cells::num_bits(cells_); }

  [[nodiscard]] unsigned num_hashes() const noexcept { return geometry_.num_hashes; }

  [[nodiscard]] const Geometry& geometry() const noexcept { return geometry_; }

  /// Returns the parameters of the variant with which the filter was made.
  [[nodiscard]] Params params() const {
    if constexpr (HasParams<Design>) {
      return design().params(geometry_);
    } else {
      return {};
    }
  }

  [[nodiscard]] const auto& bits() const noexcept requires std::same_as<Cells, Bits> {
    return cells_;
  }

  [[nodiscard]] const auto& counters() const noexcept
      requires(!std::same_as<Cells, Bits> && !std::same_as<Cells, Buckets>) {
    return cells_;
  }

  /// Estimates the number of distinct keys from the number of non-zero cells
  /// (core/rates/cardinality.hpp). Returns +infinity if all cells are non-zero.
  [[nodiscard]] double estimate_count() const noexcept requires(Design::kTraits.estimate) {
    return count_given(Cells::num_set(cells_));
  }

  /// Estimates the numbers of distinct keys in the filter, in the other filter, and in the union of
  /// both. Throws ConfigError under the same conditions as `merge`.
  template <class M>
  [[nodiscard]] SetEstimates estimate_sets(const FilterCore<Design, P, M>& other) const
      requires(Design::kTraits.estimate&& Design::kTraits.merge) {
    require_compatible(other);
    return {estimate_count(), other.estimate_count(),
            count_given(Cells::num_set_in_either(cells_, other.cells_))};
  }

  /// Returns whether the cells, the block sizes, k, the settings and max_fill are equal. The
  /// operator ignores the counts of refused erases and skipped decrements.
  friend bool operator==(const FilterCore& a, const FilterCore& b) noexcept {
    return a.cells_ == b.cells_ && a.geometry_.num_hashes == b.geometry_.num_hashes &&
           a.geometry_.block_cells == b.geometry_.block_cells &&
           a.geometry_.max_fill == b.geometry_.max_fill && a.has_settings_of(b);
  }

 protected:
  using Store = typename Cells::template Store<Memory>;
  using Tally = std::conditional_t<Design::kTraits.erase, engine::EraseTally, engine::NoTally>;

  /// Makes a filter with the given cells.
  FilterCore(Store cells, const Geometry& geometry)
      : Design(design_for<Design>(geometry, {})), cells_(std::move(cells)), geometry_(geometry) {}

  /// Makes a filter over the cells of another filter, with its own copy of the settings and of k.
  template <class M>
  FilterCore(ViewOfCells /*tag*/, FilterCore<Design, P, M>& other)
      : Design(other.design()), cells_(other.cells_.view()), geometry_(other.geometry_) {}

  [[nodiscard]] const Design& design() const noexcept { return *this; }

  /// Returns empty cells for a filter of the design with the geometry.
  [[nodiscard]] static Store cells_for(const Design& design, const Geometry& geometry,
                                       const Memory& memory) {
    if constexpr (requires { design.make_cells(geometry, memory); }) {
      return design.make_cells(geometry, memory);
    } else {
      return Cells::make(geometry, memory);
    }
  }

  /// Returns the state without the rate: the counts of cells, refused erases and skipped
  /// decrements.
  [[nodiscard]] FilterState counts() const noexcept {
    FilterState state{.num_bits = num_bits()};
    Cells::count(cells_, state);
    tally_.write(state);
    return state;
  }

  [[nodiscard]] FilterState with_rate(FilterState state, double rate) const noexcept {
    state.conditional_false_positive_rate = rate;
    state.exceeds_max_fill = exceeds_fill(geometry_.max_fill, rate, geometry_.num_hashes);
    return state;
  }

  /// Counts a refused erase if `erased` is false. Returns `erased`.
  bool counted(bool erased) noexcept {
    if (!erased) ++tally_.num_refused_erases;
    return erased;
  }

  Store cells_;
  Geometry geometry_;
  [[no_unique_address]] Tally tally_;

 private:
  template <class, ProbePolicy, class>
  friend class FilterCore;
  friend struct StoreAccess;

  FilterCore(const Geometry& geometry, const Params& params, const Memory& memory)
      : FilterCore(design_for<Design>(checked(geometry), params), checked(geometry), memory) {}

  FilterCore(Design design, const Geometry& geometry, const Memory& memory)
      : Design(std::move(design)),
        cells_(cells_for(this->design(), geometry, memory)),
        geometry_(geometry) {}

  /// Whether the description limits k. Other filters accept every k, because the stages of growing
  /// filters in files of version 0.1 have up to 1,076 hashes.
  static constexpr bool kLimitsNumHashes = Design::kDescription.min_num_hashes > 1 ||
                                           Design::kDescription.max_num_hashes < kMaxNumHashes;

  static Geometry checked(const Geometry& geometry) {
    if constexpr (kLimitsNumHashes) {
      checked_num_hashes(geometry.num_hashes, Design::kDescription.min_num_hashes,
                         Design::kDescription.max_num_hashes);
    }
    const Geometry allowed = checked_by_design(geometry);
    require_distinct_fit(kModel, allowed);
    return allowed;
  }

  static Geometry checked_by_design(const Geometry& geometry) {
    if constexpr (requires { Design::checked(geometry); }) {
      return Design::checked(geometry);
    } else {
      return geometry;
    }
  }

  template <class M>
  void require_compatible(const FilterCore<Design, P, M>& other) const {
    Cells::require_compatible(cells_, other.cells_);
    require_equal("block_bits", geometry_.block_cells, other.geometry_.block_cells);
    require_equal("num_hashes", num_hashes(), other.num_hashes());
    if constexpr (HasSettings<Design>) design().require_equal_settings(other.design());
  }

  [[nodiscard]] bool has_settings_of(const FilterCore& other) const noexcept {
    if constexpr (HasSettings<Design>) return design() == other.design();
    return true;
  }

  [[nodiscard]] double count_given(std::uint64_t num_set) const noexcept {
    if (geometry_.block_cells > 1) return count_given_ones_in_blocks(kModel, num_set, geometry_);
    return count_given_ones(kModel, num_set, cells_.size(), num_hashes());
  }
};

}  // namespace bloometry
