#include "variants/d_left/d_left_sizing.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>

#include "core/any_filter/variant_info.hpp"
#include "core/contract/size_axis.hpp"
#include "core/error.hpp"
#include "core/rates/sizing.hpp"
#include "core/text.hpp"

namespace bloometry {
namespace {

/// The values that the functions below share.
struct Request {
  const FilterSpec& spec;
  const DLeftParams& params;
  unsigned num_subtables;

  /// Returns the number of cells of one bucket in each subtable. Sizes are multiples of it.
  [[nodiscard]] unsigned unit_cells() const { return num_subtables * kDLeftBucketCells; }

  [[nodiscard]] Geometry geometry(std::uint64_t num_cells, unsigned remainder) const {
    return {num_cells, remainder + params.counter_bits, num_subtables, kDLeftBucketCells,
            checked_max_fill(spec)};
  }

  /// Returns the number of cells for the capacity, which must be given.
  [[nodiscard]] std::uint64_t cells_for_capacity() const {
    const double num_units = std::ceil(static_cast<double>(*spec.capacity) /
                                       (d_left_keys_per_bucket(num_subtables) * num_subtables));
    return checked_cells(num_units * unit_cells(), "capacity", std::to_string(*spec.capacity));
  }

  /// Returns the least width of remainders with which B buckets per subtable can double until they
  /// are sized for max_capacity.
  [[nodiscard]] unsigned least_remainder_bits(std::uint64_t num_buckets) const {
    unsigned least = 1;
    for (; d_left_capacity(num_buckets, num_subtables) < params.max_capacity.value_or(0); ++least) {
      num_buckets *= 2;
    }
    return least;
  }

  /// Returns the capacity, and max_capacity if the filter grows, for error messages.
  [[nodiscard]] std::string keys_text() const {
    return "capacity " + std::to_string(*spec.capacity) +
           (params.max_capacity ? " and max_capacity " + std::to_string(*params.max_capacity) : "");
  }
};

/// Returns the largest width of remainders with B buckets per subtable.
unsigned max_remainder_bits(std::uint64_t num_buckets) {
  const auto bucket_bits = static_cast<unsigned>(std::bit_width(num_buckets - 1));
  return bucket_bits >= kMaxDLeftFingerprintBits ? 0 : kMaxDLeftFingerprintBits - bucket_bits;
}

std::uint64_t subtable_buckets(const Request& request, std::uint64_t num_cells) {
  return num_cells / request.unit_cells();
}

/// Returns 1-(1-1/(B 2^R))^n.
double rate_of(double num_keys, std::uint64_t num_buckets, unsigned remainder_bits) {
  const double num_fingerprints =
      std::ldexp(static_cast<double>(num_buckets), static_cast<int>(remainder_bits));
  return -std::expm1(num_keys * std::log1p(-1 / num_fingerprints));
}

Geometry geometry_for_rate(const Request& request) {
  const std::uint64_t capacity = checked_capacity(request.spec, "with target_false_positive_rate");
  const auto num_keys = static_cast<double>(request.params.max_capacity.value_or(capacity));
  const double rate = checked_rate(*request.spec.target_false_positive_rate);
  const std::uint64_t num_cells = request.cells_for_capacity();
  const std::uint64_t num_buckets = subtable_buckets(request, num_cells);
  const unsigned most = max_remainder_bits(num_buckets);
  unsigned needed = request.least_remainder_bits(num_buckets);
  while (needed <= most && rate_of(num_keys, num_buckets, needed) > rate) ++needed;
  if (needed > most) {
    throw ConfigError("target_false_positive_rate",
                      "must be at least " + shortest_text(rate_of(num_keys, num_buckets, most)) +
                          " for d_left with " + request.keys_text() + ", got " +
                          shortest_text(rate));
  }
  const std::optional<unsigned>& given = request.params.remainder_bits;
  if (given && *given < needed) {
    throw ConfigError("remainder_bits", "must be at least " + std::to_string(needed) +
                                            " for this rate and capacity, got " +
                                            std::to_string(*given));
  }
  return request.geometry(num_cells, given.value_or(needed));
}

/// Returns the memory in bits if the spec gives it, or std::nullopt if the spec gives a number of
/// cells or buckets.
std::optional<double> memory_of(const FilterSpec& spec) {
  if (spec.num_bits) return static_cast<double>(*spec.num_bits);
  if (spec.bits_per_key) return *spec.bits_per_key * static_cast<double>(spec.capacity.value_or(0));
  return std::nullopt;
}

/// Returns the width of remainders with which the capacity fits in the memory.
unsigned remainder_bits_for(const Request& request, double memory) {
  const std::uint64_t num_cells = request.cells_for_capacity();
  const std::uint64_t num_buckets = subtable_buckets(request, num_cells);
  const unsigned least_remainder = request.least_remainder_bits(num_buckets);
  const double cell_bits = std::floor(memory / static_cast<double>(num_cells));
  const double remainder = cell_bits - request.params.counter_bits;
  if (!(remainder >= least_remainder)) {
    const bool is_per_key = request.spec.bits_per_key.has_value();
    const double least =
        static_cast<double>(num_cells) * (least_remainder + request.params.counter_bits);
    const auto capacity = static_cast<double>(*request.spec.capacity);
    throw ConfigError(is_per_key ? "bits_per_key" : "num_bits",
                      "must be at least " + shortest_text(is_per_key ? least / capacity : least) +
                          " for d_left with " + request.keys_text() + ", got " +
                          shortest_text(is_per_key ? *request.spec.bits_per_key : memory));
  }
  const unsigned most = max_remainder_bits(num_buckets);
  return static_cast<unsigned>(std::min<double>(remainder, most));
}

/// Returns the width of the remainders unless there would be too many fingerprints.
unsigned wanted_remainder_bits(const Request& request) {
  if (request.params.remainder_bits) return *request.params.remainder_bits;
  const std::optional<double> memory = memory_of(request.spec);
  if (memory && request.spec.capacity.value_or(0) > 0) return remainder_bits_for(request, *memory);
  return kDefaultDLeftRemainderBits;
}

/// Returns the geometry of the requested size with remainders of the given width.
Geometry geometry_for_size(const Request& request, unsigned remainder_bits) {
  const std::uint64_t unit = request.unit_cells();
  const std::uint64_t num_cells =
      required_cells(request.spec, remainder_bits + request.params.counter_bits, kDLeftBucketCells);
  return request.geometry((num_cells + unit - 1) / unit * unit, remainder_bits);
}

/// Returns the geometry of the requested size. Remainders of the wanted width become narrower if
/// there would be too many fingerprints, unless the spec gives the width.
Geometry geometry_for_size(const Request& request) {
  unsigned remainder_bits = wanted_remainder_bits(request);
  while (true) {
    const Geometry geometry = geometry_for_size(request, remainder_bits);
    const std::uint64_t num_buckets = d_left_subtable_buckets(geometry);
    const unsigned most = max_remainder_bits(num_buckets);
    if (remainder_bits <= most) return geometry;
    if (request.params.remainder_bits) {
      throw ConfigError("remainder_bits", "must be at most " + std::to_string(most) + " with " +
                                              std::to_string(num_buckets) +
                                              " buckets per subtable, got " +
                                              std::to_string(remainder_bits));
    }
    --remainder_bits;  // more than 0, because 2^57 cells are less than 2^53 buckets per subtable
  }
}

/// Checks that max_capacity is not below the capacity.
void require_growth(const Request& request) {
  const std::uint64_t capacity = request.spec.capacity.value_or(0);
  if (request.params.max_capacity.value_or(capacity) >= capacity) return;
  throw ConfigError("max_capacity", "must be at least the capacity, " + std::to_string(capacity) +
                                        ", got " + std::to_string(*request.params.max_capacity));
}

/// Checks that a table with the geometry can double up to max_capacity.
void require_doublings(const Request& request, const Geometry& geometry) {
  const std::uint64_t num_buckets = d_left_subtable_buckets(geometry);
  const unsigned remainder_bits = geometry.cell_bits - request.params.counter_bits;
  if (remainder_bits >= request.least_remainder_bits(num_buckets)) return;
  const std::uint64_t most =
      d_left_capacity(num_buckets << (remainder_bits - 1), request.num_subtables);
  throw ConfigError("max_capacity", "must be at most " + std::to_string(most) + " with " +
                                        std::to_string(num_buckets) +
                                        " buckets per subtable and remainders of " +
                                        std::to_string(remainder_bits) + " bits, got " +
                                        std::to_string(*request.params.max_capacity));
}

}  // namespace

double d_left_keys_per_bucket(unsigned num_subtables) noexcept {
  constexpr std::array<double, 7> kKeysPerBucket = {4, 5, 6, 6.5, 6.5, 6.5, 7};
  return kKeysPerBucket[num_subtables - kMinDLeftSubtables];
}

std::uint64_t d_left_capacity(std::uint64_t num_buckets, unsigned num_subtables) noexcept {
  // Twice the keys per bucket is a whole number, so the product is exact.
  const auto twice = static_cast<std::uint64_t>(2 * d_left_keys_per_bucket(num_subtables));
  return num_buckets * num_subtables * twice / 2;
}

Geometry d_left_geometry(const FilterSpec& spec, const DLeftParams& params) {
  const unsigned num_subtables = checked_num_hashes(
      spec.num_hashes.value_or(kDefaultDLeftSubtables), kMinDLeftSubtables, kMaxDLeftSubtables);
  const Request request{spec, params, num_subtables};
  // requested_cells also checks that the spec has exactly one size.
  const bool is_sized = requested_cells(spec, 1, request.unit_cells()).has_value();
  require_growth(request);
  if (!is_sized && spec.target_false_positive_rate) return geometry_for_rate(request);
  const Geometry geometry = geometry_for_size(request);
  require_doublings(request, geometry);
  return geometry;
}

DLeftParams d_left_params(const Params& params) {
  DLeftParams result{.counter_bits = unsigned(number_param(params, "counter_bits"))};
  if (params.contains("remainder_bits")) {
    result.remainder_bits = unsigned(number_param(params, "remainder_bits"));
  }
  result.max_capacity = max_capacity_of(params);
  return result;
}

Params to_params(const DLeftParams& params) {
  Params result = {{"counter_bits", double(params.counter_bits)}};
  if (params.remainder_bits) result.emplace("remainder_bits", double(*params.remainder_bits));
  if (params.max_capacity) result.emplace("max_capacity", double(*params.max_capacity));
  return result;
}

unsigned checked_d_left_remainder_bits(const Geometry& geometry, DLeftParams params) {
  if (geometry.cell_bits <= params.counter_bits) {
    throw ConfigError("cell_bits",
                      "must be above counter_bits = " + std::to_string(params.counter_bits) +
                          ", got " + std::to_string(geometry.cell_bits));
  }
  params.remainder_bits = geometry.cell_bits - params.counter_bits;
  const FilterSpec spec{.num_counters = geometry.num_cells, .num_hashes = geometry.num_hashes};
  Geometry allowed = d_left_geometry(spec, params);
  allowed.max_fill = geometry.max_fill;
  if (allowed == geometry) return *params.remainder_bits;
  throw ConfigError("num_cells", "must be a multiple of " +
                                     std::to_string(geometry.num_hashes * kDLeftBucketCells) +
                                     ", a bucket in each subtable, got " +
                                     std::to_string(geometry.num_cells));
}

}  // namespace bloometry
