#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/filter/filter_spec.hpp"

namespace bloometry {

/// Prefix of the names of Zipf key sources.
inline constexpr std::string_view kZipfPrefix = "zipf:";

/// The source of a trial's keys. Synthetic keys are disjoint by construction, file keys by a seeded
/// split.
struct KeySource {
  enum class Kind { kRandom, kSequential, kDecimal, kUrl, kPattern, kZipf, kFile };

  Kind kind = Kind::kRandom;
  std::string name{};  ///< as in rows and seeds: random, sequential, decimal, url, that of a
                       ///< KeyPattern, zipf:<exponent>, file:<path as configured>
  std::string
      path{};  ///< kFile: the path to open (relative ones are made relative to the config's folder)
  std::string content_hash{};  ///< kFile: 32 hex digits of XXH3-128 over the file's bytes
  /// kFile: distinct lines, and dropped duplicate lines; absent until the file was read.
  std::optional<std::uint64_t> num_lines{};
  std::uint64_t num_duplicates = 0;
  double zipf_exponent = 0;  ///< kZipf: s > 0
  std::string label{};  ///< kFile: its name in charts; empty: the file's name. Not part of a unit's
                        ///< id.

  friend bool operator==(const KeySource&, const KeySource&) = default;
};

/// The changes of a filter between filling and measuring. In each of `rounds` rounds, `erase` * n
/// keys are removed and `reinsert` * n of the removed keys are inserted again. The share
/// wrongful_erases of the erases is of keys that were never inserted but test positive.
struct Churn {
  std::uint64_t rounds = 0;
  double erase = 0;
  double reinsert = 0;
  double wrongful_erases = 0;

  friend auto operator<=>(const Churn&, const Churn&) = default;
};

/// One point of a unit: a state of the filter and the number of queries.
struct Point {
  std::uint64_t num_inserted = 0;
  unsigned num_hashes = 0;  ///< 0: the variant chooses (scalable)
  std::uint64_t num_queries = 0;
  /// Number of keys for which the point's grid sizes its filters. Absent if it does not exist, or
  /// if several grids of the point differ in it. Not part of the unit's id.
  std::optional<std::uint64_t> capacity{};
  /// Requested size in the point's grid, before it is rounded to whole cells or blocks. It is
  /// absent in the same cases and is not part of the id.
  std::optional<double> bits_per_key{};

  friend auto operator<=>(const Point&, const Point&) = default;
};

/// Unit of work, of resumption and of sharding: all (n, k) of one (variant, keys, hash, probes,
/// geometry, params, trial). It is the same for every engine. With churn each point fills its own
/// filter, but the points still form one unit.
struct Unit {
  std::string
      id{};  ///< 32 hex digits: XXH3-128 of everything below except capacities, and of rows_version
  std::string variant{};
  KeySource keys{};
  std::string hash{};
  std::string probes{};
  /// Size and resolved params without num_hashes. Exactly one size is set: num_bits, num_counters
  /// or target_false_positive_rate. A point's filter is this spec with the point's num_hashes.
  FilterSpec spec{};
  std::string params{};  ///< spec.params as canonical JSON, as in rows
  std::optional<Churn> churn{};
  std::uint64_t root_seed = 0;
  std::uint64_t trial = 0;
  std::vector<Point> points{};  ///< sorted, distinct
};

/// Returns the spec of one point's filter.
[[nodiscard]] inline FilterSpec point_spec(const Unit& unit, const Point& point) {
  FilterSpec spec = unit.spec;
  if (point.num_hashes != 0) spec.num_hashes = point.num_hashes;
  return spec;
}

}  // namespace bloometry
