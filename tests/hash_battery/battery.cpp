#include "tests/hash_battery/battery.hpp"

#include <algorithm>
#include <cmath>

#include "core/engine/batch.hpp"
#include "core/hash/range_reduction.hpp"
#include "core/probe/lane_bits.hpp"
#include "core/probe/split_block_bits.hpp"
#include "core/statistics/binomial_test.hpp"
#include "core/statistics/special_functions.hpp"
#include "tests/support/reference/goodness_of_fit.hpp"
#include "variants/lanes/lanes_filter.hpp"
#include "variants/registry/theory_registry.hpp"
#include "variants/split_block/split_block_filter.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry::test {
namespace {

constexpr double kRate = 0.01;

/// Counts how often each of several equally likely cells occurs.
class Cells {
 public:
  explicit Cells(std::uint64_t num_cells) : counts_(num_cells, 0) {}

  void add(std::uint64_t cell) noexcept { ++counts_[cell]; }

  [[nodiscard]] std::uint64_t size() const noexcept { return counts_.size(); }

  [[nodiscard]] Figure figure(std::string_view name) const {
    const auto df = counts_.size() - 1;
    const double statistic = chi_square_statistic(counts_);
    const double p_value = statistics::chi_square_p_value(statistic, df);
    const auto mean = static_cast<double>(df);
    return {name, statistic / mean, (statistic - mean) / std::sqrt(2 * mean),
            2 * std::min(p_value, 1 - p_value)};
  }

 private:
  std::vector<std::uint64_t> counts_;
};

/// Counts how often each bit of each lane of a block is selected.
class LaneCells {
 public:
  explicit LaneCells(std::uint64_t lane_bits) : lanes_(8, Cells(lane_bits)) {}

  void add(unsigned lane, std::uint64_t bit) noexcept { lanes_[lane].add(bit); }

  [[nodiscard]] Figure figure(std::string_view name) const {
    Figure worst;
    for (const Cells& lane : lanes_) {
      const Figure figure = lane.figure(name);
      if (figure.p_value <= worst.p_value) worst = figure;
    }
    worst.p_value = std::min(1.0, worst.p_value * static_cast<double>(lanes_.size()));
    return worst;
  }

 private:
  std::vector<Cells> lanes_;
};

template <class F>
class FilledFilter {
 public:
  explicit FilledFilter(std::uint64_t num_keys)
      : spec_{.capacity = num_keys, .target_false_positive_rate = kRate}, filter_(spec_) {}

  void insert(std::span<const Digest> digests) { insert_all(filter_, digests); }

  void query(std::span<const Digest> digests) noexcept {
    num_false_positives_ += count_positives(filter_, digests);
    num_queries_ += digests.size();
  }

  [[nodiscard]] Figure false_positives_figure(std::string_view name) const {
    const double rate = filter_.state().conditional_false_positive_rate;
    const auto false_positives = static_cast<double>(num_false_positives_);
    const auto queries = static_cast<double>(num_queries_);
    const VariantTheory& theory = find_theory(F::kName);
    return {name,
            false_positives / queries / theory.expected_rate(spec_, F::kModel, *spec_.capacity),
            (false_positives - queries * rate) / std::sqrt(queries * rate * (1 - rate)),
            statistics::binomial_two_sided_p_value(num_false_positives_, num_queries_, rate)};
  }

  [[nodiscard]] Figure fill_figure(std::string_view name) const {
    const auto law = find_theory(F::kName).fill_law(spec_, F::kModel, *spec_.capacity).value();
    const std::uint64_t num_ones = filter_.state().num_ones;
    const auto ones = static_cast<double>(num_ones);
    return {name, ones / law.mean(), (ones - law.mean()) / std::sqrt(law.variance()),
            law.two_sided_p_value(num_ones)};
  }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return filter_.num_bits(); }

 private:
  FilterSpec spec_;
  F filter_;
  std::uint64_t num_false_positives_ = 0;
  std::uint64_t num_queries_ = 0;
};

/// Calls visit(digests) for consecutive parts of the digests of num_keys keys, starting with key
/// `first`.
template <class Visit>
void for_each_part(const DigestsOf& digests, std::uint64_t first, std::uint64_t num_keys,
                   Visit visit) {
  std::vector<Digest> part(4096);
  for (std::uint64_t i = 0; i < num_keys; i += part.size()) {
    const auto size = std::min<std::uint64_t>(part.size(), num_keys - i);
    const std::span<Digest> some(part.data(), size);
    digests(first + i, some);
    visit(std::span<const Digest>(some));
  }
}

}  // namespace

std::array<Figure, kNumFigures> measure(const DigestsOf& digests, std::uint64_t num_keys,
                                        std::uint64_t num_queries) {
  FilledFilter<StandardFilter> standard(num_keys);
  FilledFilter<SplitBlockFilter> split(num_keys);
  FilledFilter<LanesFilter> lanes(num_keys);
  Cells split_blocks(split.num_bits() / SplitBlockDesign::kBlockBits);
  Cells lanes_blocks(lanes.num_bits() / LanesDesign::kBlockBits);
  LaneCells split_bits(32);
  LaneCells lanes_bits(64);
  for_each_part(digests, 0, num_keys, [&](std::span<const Digest> part) {
    standard.insert(part);
    split.insert(part);
    lanes.insert(part);
    for (const Digest& digest : part) {
      split_blocks.add(block::split_block_of(digest.lo, split_blocks.size()));
      lanes_blocks.add(fastrange(digest.hi, lanes_blocks.size()));
      for (unsigned lane = 0; lane < 8; ++lane) {
        split_bits.add(lane, block::split_block_bit(digest.lo, lane));
        lanes_bits.add(lane, block::lane_bit(digest.lo, lane));
      }
    }
  });
  for_each_part(digests, num_keys, num_queries, [&](std::span<const Digest> part) {
    standard.query(part);
    split.query(part);
    lanes.query(part);
  });
  return {standard.false_positives_figure("false positives, standard"),
          split.false_positives_figure("false positives, split_block"),
          lanes.false_positives_figure("false positives, lanes"),
          standard.fill_figure("fill, standard"),
          split.fill_figure("fill, split_block"),
          lanes.fill_figure("fill, lanes"),
          split_blocks.figure("blocks, split_block"),
          lanes_blocks.figure("blocks, lanes"),
          split_bits.figure("bits, split_block"),
          lanes_bits.figure("bits, lanes")};
}

}  // namespace bloometry::test
