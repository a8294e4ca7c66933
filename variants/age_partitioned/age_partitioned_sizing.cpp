#include "variants/age_partitioned/age_partitioned_sizing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/probe/limits.hpp"
#include "core/rates/search.hpp"
#include "core/rates/sizing.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kMostCells = std::uint64_t{1} << 57U;

/// Range of a number that a spec gives or omits.
struct Choice {
  unsigned first;
  unsigned last;
};

Choice choice_of(const std::optional<unsigned>& given, unsigned most) {
  return given ? Choice{*given, *given} : Choice{1, most};
}

std::optional<std::uint64_t> whole_param(const Params& params, std::string_view name) {
  if (!params.contains(name)) return std::nullopt;
  return static_cast<std::uint64_t>(number_param(params, name));
}

/// Returns the least number of parts of the given size for a window of insert calls. The key's own
/// call needs no part.
std::uint64_t parts_for(std::uint64_t window, std::uint64_t part) {
  return std::max<std::uint64_t>(1, (window - 1) / part + ((window - 1) % part != 0 ? 1 : 0));
}

/// The values of k, l and g that a spec gives or that follow from its window.
class ShapeChoice {
 public:
  ShapeChoice(const FilterSpec& spec, const Params& params)
      : generation_capacity_(whole_param(params, "generation_capacity")) {
    if (spec.num_hashes) checked_num_hashes(*spec.num_hashes, 1, kMaxNumHashes);
    num_hashes_ = spec.num_hashes;
    if (const auto l = whole_param(params, "generations")) generations_ = static_cast<unsigned>(*l);
    if (spec.capacity || !generation_capacity_) {
      set_window(spec);
    } else if (!generations_) {
      generations_ = kDefaultAgeGenerations;
    }
  }

  [[nodiscard]] Choice num_hashes() const { return choice_of(num_hashes_, kMaxNumHashes); }

  [[nodiscard]] Choice generations() const {
    Choice choice = choice_of(generations_, kMaxChosenAgeGenerations);
    if (!generations_) {  // more generations than insert calls after the key's own are never used
      choice.last =
          static_cast<unsigned>(std::min<std::uint64_t>(choice.last, parts_for(window_, 1)));
    }
    return choice;
  }

  [[nodiscard]] AgeShape shape(unsigned k, unsigned l, std::uint64_t slice_bits) const {
    return {k, l, generation_capacity_ ? *generation_capacity_ : parts_for(window_, l), slice_bits};
  }

 private:
  void set_window(const FilterSpec& spec) {
    window_ = checked_capacity(spec, "unless generation_capacity is given");
    if (window_ > static_cast<std::uint64_t>(kMaxAgeGenerationCapacity)) {
      throw ConfigError("capacity",
                        "must be at most 2^53 insert calls, got " + std::to_string(window_));
    }
    if (generation_capacity_) require_window();
  }

  /// Checks that the generations are long enough for the window. Sets l if only g is given.
  void require_window() {
    const std::uint64_t most = generations_.value_or(kMaxAgeGenerations);
    const std::uint64_t needed = parts_for(window_, *generation_capacity_);
    if (needed > most) {
      throw ConfigError("generation_capacity",
                        "must be at least " + std::to_string(parts_for(window_, most)) + " for " +
                            std::to_string(most) + " generations and a window of " +
                            std::to_string(window_) + " insert calls, got " +
                            std::to_string(*generation_capacity_));
    }
    if (!generations_) generations_ = static_cast<unsigned>(needed);
  }

  std::optional<unsigned> num_hashes_;
  std::optional<unsigned> generations_;
  std::optional<std::uint64_t> generation_capacity_;
  std::uint64_t window_ = 0;
};

/// Search for the shape with the least memory whose highest rate is at most p.
class LeastMemory {
 public:
  LeastMemory(const ShapeChoice& choice, double p) : choice_(choice), p_(p) {
    const Choice k = choice.num_hashes();
    const double for_rate = std::ceil(std::clamp(-std::log2(p), 1.0, double{kMaxNumHashes}));
    start_ = std::clamp(static_cast<unsigned>(for_rate), k.first, k.last);
    for (unsigned l = choice.generations().first; l <= choice.generations().last; ++l) try_all(l);
  }

  [[nodiscard]] const std::optional<AgeShape>& best() const noexcept { return best_; }

 private:
  void try_all(unsigned l) {
    // For the first l, all k are tried, so that a spec that determines l gets the best k.
    const unsigned patience = best_ ? 2 : kMaxNumHashes;
    const Choice k = choice_.num_hashes();
    if (best_) {
      start_ = least_rate_num_hashes(start_, k.first, k.last, [&](unsigned num_hashes) {
        const std::uint64_t most = most_slice_bits(num_hashes + l);
        return most == 0 ? 1 : rate(num_hashes, l, most);
      });
    }
    visit_num_hashes(start_, k.first, k.last, patience,
                     [&](unsigned num_hashes) { return is_better(num_hashes, l); });
  }

  /// Makes k and l the best shape if it needs less memory than the best one so far.
  bool is_better(unsigned k, unsigned l) {
    const std::uint64_t most = most_slice_bits(k + l);
    const auto holds = [&](std::uint64_t bits) { return keeps_rate(rate(k, l, bits), p_); };
    if (most == 0 || !holds(most)) return false;
    const std::uint64_t guess = best_ ? most : std::min(most, half_full(k, l));
    best_ = choice_.shape(k, l, *least_that_holds(guess, 1, most, holds));
    return true;
  }

  /// Returns the largest slices with which num_slices slices need less memory than the best shape.
  [[nodiscard]] std::uint64_t most_slice_bits(unsigned num_slices) const {
    return (best_ ? best_->num_bits() - 1 : kMostCells) / num_slices;
  }

  [[nodiscard]] std::uint64_t half_full(unsigned k, unsigned l) const {
    const AgeShape shape = choice_.shape(k, l, 1);
    const double bits = 1.5 * k * static_cast<double>(shape.generation_capacity);  // about 1 / ln 2
    return static_cast<std::uint64_t>(std::min(bits, 0x1p57));
  }

  [[nodiscard]] double rate(unsigned k, unsigned l, std::uint64_t slice_bits) const {
    return worst_age_partitioned_rate(choice_.shape(k, l, slice_bits));
  }

  const ShapeChoice& choice_;
  double p_;
  unsigned start_;
  std::optional<AgeShape> best_;
};

std::uint64_t slice_bits_for(std::uint64_t num_cells, unsigned num_slices) {
  return num_cells / num_slices + (num_cells % num_slices != 0 ? 1 : 0);
}

/// Returns the shape with the lowest worst rate for a number of bits, which is rounded up to slices
/// of equal length. Each slice has at least one bit.
AgeShape lowest_rate(const ShapeChoice& choice, std::uint64_t num_cells) {
  const Choice k = choice.num_hashes();
  const Choice l = choice.generations();
  const std::uint64_t most_slices = std::max<std::uint64_t>(num_cells, k.first + l.first);
  const auto with = [&](unsigned num_hashes, unsigned generations) {
    return choice.shape(num_hashes, generations,
                        slice_bits_for(num_cells, num_hashes + generations));
  };
  AgeShape best = with(k.first, l.first);
  if (k.first == k.last && l.first == l.last) return best;
  double least = std::numeric_limits<double>::infinity();
  unsigned start = k.first;
  for (unsigned generations = l.first;
       generations <= l.last && k.first + generations <= most_slices; ++generations) {
    const auto most =
        static_cast<unsigned>(std::min<std::uint64_t>(k.last, most_slices - generations));
    start = least_rate_num_hashes(std::min(start, most), k.first, most, [&](unsigned num_hashes) {
      return worst_age_partitioned_rate(with(num_hashes, generations));
    });
    const double rate = worst_age_partitioned_rate(with(start, generations));
    if (!(rate < least)) continue;
    least = rate;
    best = with(start, generations);
  }
  return best;
}

AgeShape least_memory(const ShapeChoice& choice, double p) {
  const LeastMemory search(choice, p);
  if (search.best()) return *search.best();
  throw ConfigError("target_false_positive_rate",
                    "must be reachable with 2^57 bits and num_hashes of at most " +
                        std::to_string(choice.num_hashes().last) + ", got " +
                        to_string(ParamValue(p)));
}

}  // namespace

AgeShape age_shape(const FilterSpec& spec, const Params& params) {
  const auto num_cells = requested_cells(spec, 1);
  const ShapeChoice choice(spec, params);
  if (num_cells) return lowest_rate(choice, *num_cells);
  if (!spec.target_false_positive_rate) return lowest_rate(choice, required_cells(spec, 1));
  return least_memory(choice, checked_rate(*spec.target_false_positive_rate));
}

}  // namespace bloometry
