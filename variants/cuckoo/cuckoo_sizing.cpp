#include "variants/cuckoo/cuckoo_sizing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/error.hpp"
#include "core/rates/search.hpp"
#include "core/rates/sizing.hpp"
#include "core/text.hpp"
#include "variants/cuckoo/cuckoo_overfull.hpp"
#include "variants/cuckoo/cuckoo_rates.hpp"
#include "variants/cuckoo/semi_sorting.hpp"

namespace bloometry {
namespace {

unsigned bucket_cells_of(const Params& params) {
  return static_cast<unsigned>(number_param(params, "bucket_cells"));
}

/// Returns the number of cells, rounded up to an even number of buckets.
double even_buckets(double num_cells, unsigned bucket_cells) {
  const double pair = 2.0 * bucket_cells;
  return std::ceil(num_cells / pair) * pair;
}

/// Size of a table in which random keys find room. The number of cells is n/load + slack. The load
/// keeps a distance from the load at which tables of 1e6 cells first refuse a key: 0.877, 0.968 and
/// 0.992. The slack is for the deviations of small tables. Both hold for fingerprints of the least
/// width or more (README.md, "Full tables").
struct Room {
  double load;
  double slack;
  unsigned least_width;
};

constexpr Room room_of(unsigned bucket_cells) {
  if (bucket_cells == 2) return {.load = 0.84, .slack = 160, .least_width = 10};
  if (bucket_cells == 4) return {.load = 0.95, .slack = 32, .least_width = 6};
  return {.load = 0.98, .slack = 20, .least_width = 6};
}

/// Returns the number of cells for the number of keys alone.
double cells_for_load(double num_keys, unsigned bucket_cells) {
  if (num_keys <= 2.0 * bucket_cells) return 2.0 * bucket_cells;
  const Room room = room_of(bucket_cells);
  return even_buckets(num_keys / room.load + room.slack, bucket_cells);
}

bool has_odds(double num_keys, double num_cells, unsigned bucket_cells, unsigned width) {
  return theory::are_overfull_sets_rare(num_keys,
                                        static_cast<std::uint64_t>(num_cells / bucket_cells),
                                        bucket_cells, width, kCuckooOddsOfRefusal);
}

/// Returns the first size from num_cells on at which overfull buckets are rare. Sums of buckets are
/// distributed anew at each size, so the next size often suffices. A step of a large table is a
/// thousandth of its memory. With fewer bits than the least width, no size near num_cells suffices,
/// and the result is num_cells.
double cells_with_odds(double num_keys, double num_cells, unsigned bucket_cells, unsigned width) {
  if (width < cuckoo_least_fingerprint_bits(num_keys, bucket_cells)) return num_cells;
  while (!has_odds(num_keys, num_cells, bucket_cells, width)) {
    num_cells = even_buckets(num_cells + std::max(1.0, num_cells / 1000), bucket_cells);
  }
  return num_cells;
}

/// The values that the functions below share.
struct Request {
  const FilterSpec& spec;
  unsigned bucket_cells;
  std::optional<unsigned> fingerprint_bits;
  unsigned saved_bits;  // of a cell

  [[nodiscard]] unsigned cell_bits(unsigned width) const { return width - saved_bits; }

  [[nodiscard]] Geometry geometry(std::uint64_t num_cells, unsigned width) const {
    return {num_cells, cell_bits(width), kCuckooNumHashes, bucket_cells, checked_max_fill(spec)};
  }
};

/// Returns the least number of cells for the load and with a rate of at most p.
double cells_for_load_and_rate(double num_keys, double rate, unsigned bucket_cells,
                               unsigned width) {
  // The rate of one key, 2/(B(2^f-1)), at which n keys have the rate p.
  const double rate_of_one = -std::expm1(std::log1p(-rate) / num_keys);
  const double pairs = 1 / (rate_of_one * (std::ldexp(1.0, static_cast<int>(width)) - 1));
  const double num_pairs = fewest_blocks(pairs, rate, [&](double num) {
    return theory::cuckoo_rate(static_cast<std::uint64_t>(num_keys),
                               2 * static_cast<std::uint64_t>(num), width);
  });
  return std::max(cells_for_load(num_keys, bucket_cells), num_pairs * 2 * bucket_cells);
}

/// A number of cells, and the width of the fingerprints.
struct Size {
  double num_cells;
  unsigned width;
};

/// Returns the size with the least memory of all widths in [least, most], if each width needs
/// cells_for(width) cells or more.
template <class CellsFor>
Size least_memory(const Request& request, double num_keys, unsigned least, unsigned most,
                  CellsFor cells_for) {
  double least_bits = std::numeric_limits<double>::infinity();
  Size best{.num_cells = least_bits, .width = least};
  for (unsigned width = least; width <= most; ++width) {
    const double fewest = cells_for(width);
    if (fewest * request.cell_bits(width) >= least_bits) continue;
    const double cells = cells_with_odds(num_keys, fewest, request.bucket_cells, width);
    if (cells * request.cell_bits(width) >= least_bits) continue;
    least_bits = cells * request.cell_bits(width);
    best = {cells, width};
  }
  return best;
}

Geometry geometry_for_rate(const Request& request) {
  const auto num_keys =
      static_cast<double>(checked_capacity(request.spec, "with target_false_positive_rate"));
  const double rate = checked_rate(*request.spec.target_false_positive_rate);
  const unsigned least = request.fingerprint_bits.value_or(
      cuckoo_least_fingerprint_bits(num_keys, request.bucket_cells));
  const unsigned most = request.fingerprint_bits.value_or(kMaxCuckooFingerprintBits);
  const Size best = least_memory(request, num_keys, least, most, [&](unsigned width) {
    return cells_for_load_and_rate(num_keys, rate, request.bucket_cells, width);
  });
  return request.geometry(
      checked_cells(best.num_cells, "target_false_positive_rate", shortest_text(rate)), best.width);
}

/// Returns the memory in bits if the spec gives the memory and the capacity.
std::optional<double> memory_for_capacity(const FilterSpec& spec) {
  if (spec.capacity.value_or(0) == 0) return std::nullopt;
  if (spec.num_bits) return static_cast<double>(*spec.num_bits);
  if (spec.bits_per_key) return *spec.bits_per_key * static_cast<double>(*spec.capacity);
  return std::nullopt;
}

[[noreturn]] void throw_too_little_memory(const Request& request, double memory) {
  const auto num_keys = static_cast<double>(*request.spec.capacity);
  const Size least = least_memory(
      request, num_keys, cuckoo_least_fingerprint_bits(num_keys, request.bucket_cells),
      kMaxCuckooFingerprintBits,
      [&](unsigned /*width*/) { return cells_for_load(num_keys, request.bucket_cells); });
  const bool is_per_key = request.spec.bits_per_key.has_value();
  const double needed = least.num_cells * request.cell_bits(least.width);
  throw ConfigError(is_per_key ? "bits_per_key" : "num_bits",
                    "must be at least " + shortest_text(is_per_key ? needed / num_keys : needed) +
                        " for cuckoo with capacity " + std::to_string(*request.spec.capacity) +
                        ", got " + shortest_text(is_per_key ? *request.spec.bits_per_key : memory));
}

/// Returns the largest width with which the capacity fits in the memory.
unsigned width_for_memory(const Request& request, double memory) {
  const auto num_keys = static_cast<double>(*request.spec.capacity);
  const unsigned least = cuckoo_least_fingerprint_bits(num_keys, request.bucket_cells);
  const double widest =
      std::floor(memory / cells_for_load(num_keys, request.bucket_cells)) + request.saved_bits;
  for (auto width = static_cast<unsigned>(std::min<double>(widest, kMaxCuckooFingerprintBits));
       width >= least; --width) {
    const double num_cells = cuckoo_cells_for_keys(num_keys, request.bucket_cells, width);
    if (num_cells * request.cell_bits(width) <= memory) return width;
  }
  throw_too_little_memory(request, memory);
}

void check_width(std::optional<unsigned> fingerprint_bits, bool is_semi_sorted) {
  const unsigned least = is_semi_sorted ? kMinSemiSortedFingerprintBits : kMinCuckooFingerprintBits;
  if (!fingerprint_bits ||
      (*fingerprint_bits >= least && *fingerprint_bits <= kMaxCuckooFingerprintBits)) {
    return;
  }
  throw ConfigError("fingerprint_bits", "must be in [" + std::to_string(least) + ", " +
                                            std::to_string(kMaxCuckooFingerprintBits) + "]" +
                                            (is_semi_sorted ? " with semi_sorting 1" : "") +
                                            ", got " + std::to_string(*fingerprint_bits));
}

}  // namespace

double cuckoo_cells_for_keys(double num_keys, unsigned bucket_cells, unsigned fingerprint_bits) {
  return cells_with_odds(num_keys, cells_for_load(num_keys, bucket_cells), bucket_cells,
                         fingerprint_bits);
}

unsigned cuckoo_least_fingerprint_bits(double num_keys, unsigned bucket_cells) noexcept {
  const unsigned copies = 2 * bucket_cells;
  unsigned width = room_of(bucket_cells).least_width;
  if (num_keys <= copies) return width;
  const auto num_buckets =
      static_cast<std::uint64_t>(cells_for_load(num_keys, bucket_cells) / bucket_cells);
  double log_sets = 0;  // logarithm of the number of sets of 2b + 1 keys
  for (unsigned i = 0; i <= copies; ++i) log_sets += std::log((num_keys - i) / (i + 1));
  const double most = std::log(kCuckooOddsOfRefusal);
  while (log_sets - copies * std::log(theory::cuckoo_num_classes(num_buckets, width)) > most) {
    ++width;
  }
  return width;
}

bool is_semi_sorted(const Params& params) {
  return params.contains("semi_sorting") && number_param(params, "semi_sorting") == 1;
}

unsigned cuckoo_fingerprint_bits(const Geometry& geometry, bool is_semi_sorted) noexcept {
  return geometry.cell_bits + (is_semi_sorted ? semi_sorting::kSavedBits : 0);
}

bool is_within_cuckoo_capacity(double num_keys, const Geometry& geometry,
                               unsigned fingerprint_bits) {
  const unsigned bucket_cells = geometry.block_cells;
  const auto num_cells = static_cast<double>(geometry.num_cells);
  return cells_for_load(num_keys, bucket_cells) <= num_cells &&
         cuckoo_least_fingerprint_bits(num_keys, bucket_cells) <= fingerprint_bits &&
         has_odds(num_keys, num_cells, bucket_cells, fingerprint_bits);
}

Geometry cuckoo_geometry(const FilterSpec& spec, unsigned bucket_cells,
                         std::optional<unsigned> fingerprint_bits, bool is_semi_sorted) {
  checked_num_hashes(spec.num_hashes.value_or(kCuckooNumHashes), kCuckooNumHashes,
                     kCuckooNumHashes);
  if (is_semi_sorted && bucket_cells != semi_sorting::kNumCells) {
    throw ConfigError("semi_sorting",
                      "must be 0 unless bucket_cells is 4, got 1 with bucket_cells " +
                          std::to_string(bucket_cells));
  }
  check_width(fingerprint_bits, is_semi_sorted);
  const Request request{spec, bucket_cells, fingerprint_bits,
                        is_semi_sorted ? semi_sorting::kSavedBits : 0};
  // requested_cells also checks that the spec has at most one size.
  const bool is_sized = requested_cells(spec, 1, bucket_cells).has_value();
  if (!is_sized && spec.target_false_positive_rate) return geometry_for_rate(request);
  const auto requested = [&](unsigned width) {
    return even_buckets(
        static_cast<double>(required_cells(spec, request.cell_bits(width), bucket_cells)),
        bucket_cells);
  };
  if (const auto memory = memory_for_capacity(spec); memory && !fingerprint_bits) {
    const unsigned width = width_for_memory(request, *memory);
    const double num_cells =
        cells_with_odds(static_cast<double>(*spec.capacity), requested(width), bucket_cells, width);
    return request.geometry(static_cast<std::uint64_t>(num_cells), width);
  }
  const unsigned width = fingerprint_bits.value_or(kDefaultCuckooFingerprintBits);
  return request.geometry(static_cast<std::uint64_t>(requested(width)), width);
}

Geometry cuckoo_geometry(const FilterSpec& spec, const Params& params) {
  std::optional<unsigned> fingerprint_bits;
  if (params.contains("fingerprint_bits")) {
    fingerprint_bits = static_cast<unsigned>(number_param(params, "fingerprint_bits"));
  }
  return cuckoo_geometry(spec, bucket_cells_of(params), fingerprint_bits, is_semi_sorted(params));
}

Geometry checked_cuckoo_geometry(const Geometry& geometry, const Params& params) {
  const unsigned bucket_cells = bucket_cells_of(params);
  const FilterSpec spec{.num_counters = geometry.num_cells, .num_hashes = geometry.num_hashes};
  const bool semi_sorted = is_semi_sorted(params);
  Geometry allowed = cuckoo_geometry(spec, bucket_cells,
                                     cuckoo_fingerprint_bits(geometry, semi_sorted), semi_sorted);
  allowed.max_fill = geometry.max_fill;
  if (allowed == geometry) return geometry;
  throw ConfigError("num_cells", "must be a multiple of " + std::to_string(2 * bucket_cells) +
                                     ", an even number of buckets of " +
                                     std::to_string(bucket_cells) + " cells, got " +
                                     std::to_string(geometry.num_cells));
}

}  // namespace bloometry
