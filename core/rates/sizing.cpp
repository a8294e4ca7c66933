#include "core/rates/sizing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "core/contract/size_axis.hpp"
#include "core/error.hpp"
#include "core/probe/limits.hpp"
#include "core/text.hpp"

namespace bloometry {
namespace {

/// Maximum number of cells. Arithmetic on the number of bits of 2^57 cells does not overflow 64
/// bits.
constexpr double kMaxCells = 0x1p57;

std::string size_names() {
  std::vector<std::string_view> names;
  for (const SizeAxisInfo& info : kSizeAxes) names.push_back(info.name);
  return joined(names);
}

std::uint64_t whole_blocks(std::uint64_t num_cells, unsigned block_cells) {
  return (num_cells + block_cells - 1) / block_cells * block_cells;
}

Geometry geometry_for_rate(const FilterSpec& spec, unsigned cell_bits, const SizingRule& rule) {
  const auto num_keys =
      static_cast<double>(checked_capacity(spec, "with target_false_positive_rate"));
  const double rate = checked_rate(*spec.target_false_positive_rate);
  unsigned best = checked_num_hashes(spec.num_hashes.value_or(rule.min_num_hashes),
                                     rule.min_num_hashes, rule.max_num_hashes);
  double cells = rule.cells_for_rate(num_keys, rate, best);
  for (unsigned k = best + 1; k <= rule.max_num_hashes && !spec.num_hashes; ++k) {
    const double cells_with_k = rule.cells_for_rate(num_keys, rate, k);
    if (cells_with_k >= cells) continue;
    best = k;
    cells = cells_with_k;
  }
  return {checked_cells(cells, "target_false_positive_rate", to_string(ParamValue(rate))),
          cell_bits, best, rule.block_cells, checked_max_fill(spec)};
}

}  // namespace

std::uint64_t checked_cells(double cells, const std::string& field, const std::string& value) {
  if (!(cells >= 1) || cells > kMaxCells) {
    throw ConfigError(field, "must give between 1 and 2^57 cells, got " + value);
  }
  return static_cast<std::uint64_t>(cells);
}

std::uint64_t checked_capacity(const FilterSpec& spec, const std::string& when) {
  if (!spec.capacity) throw ConfigError("capacity", "must be given " + when + ": a number of keys");
  if (*spec.capacity == 0) throw ConfigError("capacity", "must be at least 1, got 0");
  return *spec.capacity;
}

double checked_rate(double rate) {
  if (!(rate > 0 && rate < 1)) {
    throw ConfigError("target_false_positive_rate",
                      "must be in (0, 1), got " + to_string(ParamValue(rate)));
  }
  return rate;
}

double classic_rate(double num_keys, double num_cells, unsigned num_hashes) noexcept {
  return std::pow(-std::expm1(-(num_hashes * num_keys / num_cells)), num_hashes);
}

unsigned best_num_hashes(double num_keys, double num_cells) noexcept {
  const double real = num_cells / num_keys * std::numbers::ln2;
  const auto lower =
      static_cast<unsigned>(std::clamp(std::floor(real), 1.0, double{kMaxNumHashes}));
  const unsigned upper = std::min(lower + 1, kMaxNumHashes);
  return classic_rate(num_keys, num_cells, upper) < classic_rate(num_keys, num_cells, lower)
             ? upper
             : lower;
}

double cells_for_rate(double num_keys, double rate, unsigned num_hashes) noexcept {
  const double k = num_hashes;
  return std::ceil(-num_keys * k / std::log1p(-std::exp(std::log(rate) / k))) + k;
}

std::optional<std::uint64_t> requested_cells(const FilterSpec& spec, unsigned cell_bits,
                                             unsigned block_cells) {
  const std::vector<SizeAxis> given = size_axes_given(spec);
  if (given.size() > 1) {
    throw ConfigError("size must be given by one of " + size_names() + ", got " +
                      std::to_string(given.size()));
  }
  if (given.empty() || given.front() == SizeAxis::kRate) return std::nullopt;
  const SizeAxis axis = given.front();
  const std::string name(name_of(axis));
  double cells = *size_on(spec, axis);
  if (axis == SizeAxis::kNumBits) cells = static_cast<double>(*spec.num_bits / cell_bits);
  if (axis == SizeAxis::kBitsPerKey) {
    cells =
        std::round(cells * static_cast<double>(checked_capacity(spec, "with " + name)) / cell_bits);
  }
  if (axis == SizeAxis::kNumBlocks) {
    if (block_cells == 1)
      throw ConfigError(name, "must be left out for a filter that does not have blocks");
    cells *= block_cells;
  }
  return whole_blocks(checked_cells(cells, name, size_text_on(spec, axis)), block_cells);
}

std::uint64_t required_cells(const FilterSpec& spec, unsigned cell_bits, unsigned block_cells) {
  if (const auto cells = requested_cells(spec, cell_bits, block_cells)) return *cells;
  throw ConfigError("size must be given by one of " + size_names() + ", got none");
}

unsigned checked_num_hashes(unsigned num_hashes, unsigned min, unsigned max) {
  if (num_hashes >= min && num_hashes <= max) return num_hashes;
  const std::string allowed = min == max
                                  ? std::to_string(min)
                                  : "in [" + std::to_string(min) + ", " + std::to_string(max) + "]";
  throw ConfigError("num_hashes", "must be " + allowed + ", got " + std::to_string(num_hashes));
}

std::optional<double> checked_max_fill(const FilterSpec& spec) {
  if (spec.max_fill && !(*spec.max_fill > 0 && *spec.max_fill < 1)) {
    throw ConfigError("max_fill",
                      "must be in (0, 1), got " + to_string(ParamValue(*spec.max_fill)));
  }
  return spec.max_fill;
}

Geometry sized_geometry(const FilterSpec& spec, unsigned cell_bits, const SizingRule& rule) {
  const std::optional<std::uint64_t> cells = requested_cells(spec, cell_bits, rule.block_cells);
  if (!cells && spec.target_false_positive_rate) return geometry_for_rate(spec, cell_bits, rule);
  Geometry geometry{required_cells(spec, cell_bits, rule.block_cells), cell_bits,
                    rule.min_num_hashes, rule.block_cells, checked_max_fill(spec)};
  if (spec.num_hashes) {
    geometry.num_hashes =
        checked_num_hashes(*spec.num_hashes, rule.min_num_hashes, rule.max_num_hashes);
  } else if (rule.min_num_hashes < rule.max_num_hashes) {
    const auto num_keys = static_cast<double>(checked_capacity(spec, "unless num_hashes is given"));
    geometry.num_hashes = rule.best_num_hashes(num_keys, static_cast<double>(geometry.num_cells));
  }
  return geometry;
}

Geometry bloom_geometry(const FilterSpec& spec, unsigned cell_bits) {
  return sized_geometry(spec, cell_bits, {best_num_hashes, cells_for_rate});
}

}  // namespace bloometry
