#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/contract/compatible.hpp"
#include "core/contract/variant_description.hpp"
#include "core/engine/cell_filter.hpp"
#include "core/probe/all_probes.hpp"
#include "core/rates/rate_given_state.hpp"
#include "core/rates/sizing.hpp"

namespace bloometry {

/// Counting Bloom filter, with a small counter in place of each bit. Keys can be erased. The filter
/// needs counter_bits times the memory of a standard filter.
///
/// Source: Fan, Cao, Almeida, Broder (2000), "Summary cache", section on counting Bloom filters,
/// with 4-bit counters. Semantics: theory 3.1.
/// Layout: an array of m counters without gaps. An insert adds 1 to the counter at each distinct
/// position of the key's probes, so two probes at one position count once. A counter at its maximum
/// means "the maximum or more". With saturation "sticky", it never decreases. With saturation
/// "clamped" (for study), it can decrease, so the filter may lose keys.
/// Rate given the state: the rate of the standard filter, where X is the number of non-zero
/// counters.
/// Cost: insert, erase and contains access O(num_hashes) counters and allocate no memory. Insert
/// and erase also make O(num_hashes^2 / 8) comparisons to find probes at equal positions.
/// Erasing a key that tests positive but was not inserted removes k L / (e^L - 1) members on
/// average at load L (theory 3.3). If no erase found a counter at its maximum, the result of a
/// merge equals, bit for bit, a filter into which all keys were inserted.
class CountingDesign {
 public:
  static constexpr std::string_view kName = "counting";
  static constexpr VariantDescription kDescription = {
      .summary = "a small counter in place of every bit: keys can be erased",
      .paper = "Fan, Cao, Almeida, Broder 2000",
      .rate_given_state = "(X/m)^k, X non-zero counters of m; C(X,k)/C(m,k) for distinct probes",
      .probe_passes = ProbePasses::kIfNonzero,
      .sized_by_counters = true,
      .hides_saturation = [](const Params& params) {
        const auto found = params.find("saturation");
        return found != params.end() && to_string(found->second) == "clamped";
      }};
  static constexpr std::array<ParamInfo, 2> kParams = {
      ParamInfo{.name = "counter_bits",
                .kind = ParamKind::kInteger,
                .meaning = "bits of a counter; 4 saturate in 1.6e-15 of counters at half fill",
                .min = 1,
                .max = 16,
                .default_number = 4},
      ParamInfo{.name = "saturation",
                .kind = ParamKind::kText,
                .meaning = "sticky: a counter at its maximum is never decremented; clamped: such a "
                           "counter is decremented, which may cause false negatives (for study)",
                .choices = "sticky|clamped",
                .default_text = "sticky"}};
  static constexpr Traits kTraits = {
      .erase = true, .merge = true, .estimate = true, .distinct_positions = true};
  using SupportedProbes = AllProbes;
  using Cells = Counters<4>;

  enum class Saturation { kSticky, kClamped };

  static Geometry geometry(const FilterSpec& spec, const Params& params) {
    return bloom_geometry(spec, static_cast<unsigned>(number_param(params, "counter_bits")));
  }

  CountingDesign(const Geometry& /*geometry*/, Saturation saturation) noexcept
      : saturation_(saturation) {}

  CountingDesign(const Geometry& /*geometry*/, const Params& params)
      : saturation_(text_param(params, "saturation") == "sticky" ? Saturation::kSticky
                                                                 : Saturation::kClamped) {}

  [[nodiscard]] Params params(const Geometry& geometry) const {
    return {{"counter_bits", double(geometry.cell_bits)},
            {"saturation", std::string(name_of(saturation_))}};
  }

  /// Adds 1 to the counter at each position of the key, up to the maximum. Returns whether at least
  /// one counter of the key was 0.
  static bool insert(auto& counters, auto&& positions) noexcept {
    unsigned below = 0;  // the high bit is 1 if a counter was 0
    for (const std::uint64_t i : positions) below |= counters.increment(i) - 1;
    return below >> 31U != 0;
  }

  static bool passes(const auto& counters, std::uint64_t i) noexcept {
    return counters.get(i) != 0;
  }

  /// Subtracts 1 from the counter at each position of the key and returns true. If a counter of the
  /// key is 0, the function does not change the filter and returns false.
  [[gnu::always_inline]] inline bool erase(auto& counters, auto&& positions,
                                           std::uint64_t& num_skipped) const noexcept {
    // The function reads all counters before it changes any counter, because a refused erase must
    // leave the filter unchanged.
    unsigned below = 0;
    for (const std::uint64_t i : positions) below |= counters.get(i) - 1;
    if (below >> 31U != 0) return false;
    const unsigned max = counters.max_value();
    const unsigned stuck = saturation_ == Saturation::kSticky ? max : max + 1;
    unsigned num_stuck = 0;
    for (const std::uint64_t i : positions) {
      num_stuck += counters.decrement_unless(stuck, i) == stuck ? 1 : 0;
    }
    num_skipped += num_stuck;
    return true;
  }

  static double rate(ProbeModel model, const auto& counters, const FilterState& counts,
                     unsigned num_hashes) noexcept {
    return rate_given_ones(model, counts.num_ones, counters.size(), num_hashes);
  }

  void require_equal_settings(const CountingDesign& other) const {
    require_equal("saturation", name_of(saturation_), name_of(other.saturation_));
  }

  friend bool operator==(const CountingDesign&, const CountingDesign&) = default;

 private:
  static std::string_view name_of(Saturation saturation) noexcept {
    return saturation == Saturation::kSticky ? "sticky" : "clamped";
  }

  Saturation saturation_;
};

template <ProbePolicy Probes = RemixProbes, class Memory = OwnedMemory>
using BasicCountingFilter = CellFilter<CountingDesign, Probes, Memory>;

using CountingFilter = BasicCountingFilter<>;

}  // namespace bloometry
