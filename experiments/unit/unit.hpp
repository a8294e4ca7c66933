#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/contract/filter_spec.hpp"

namespace bloometry {

/// Prefix of the names of Zipf key sources.
inline constexpr std::string_view kZipfPrefix = "zipf:";

/// The source of a trial's keys. The sets of members and queries are disjoint. Synthetic keys are
/// disjoint by construction. Keys of a file are disjoint because a seeded split divides the file's
/// lines.
struct KeySource {
  enum class Kind { kRandom, kSequential, kDecimal, kUrl, kPattern, kZipf, kFile };

  Kind kind = Kind::kRandom;
  /// Name in rows and seeds: random, sequential, decimal, url, the name of a KeyPattern,
  /// zipf:<exponent>, or file:<path as configured>.
  std::string name{};
  std::string path{};  ///< kFile: path of the file; a relative path refers to the config's folder
  std::string content_hash{};  ///< kFile: 32 hex digits of XXH3-128 over the file's text
  /// kFile: number of distinct lines of the file; absent before the file is read.
  std::optional<std::uint64_t> num_lines{};
  std::uint64_t num_duplicates = 0;  ///< kFile: number of duplicate lines, which are dropped
  std::vector<std::string> notes{};  ///< kFile: notes of the reader about the file's encoding
  double zipf_exponent = 0;          ///< kZipf: the exponent s > 0
  std::string label{};  ///< kFile: name in charts, or empty for the file's name; not in a unit's id

  friend bool operator==(const KeySource&, const KeySource&) = default;
};

/// The changes to a filter after it is filled and before it is measured. Each of `rounds` rounds
/// erases `erase` * n keys and inserts `reinsert` * n of the erased keys again. The share
/// `wrongful_erases` of the erases removes keys that were never inserted but test positive.
struct Churn {
  std::uint64_t rounds = 0;
  double erase = 0;
  double reinsert = 0;
  double wrongful_erases = 0;

  friend auto operator<=>(const Churn&, const Churn&) = default;
};

/// A window over the stream of inserts of a trial, in insert calls (unit `keys`) or in ticks. A key
/// is in the window while at most `size` insert calls have been made since its last insert, which
/// counts, or at most `size` ticks after it. The share `reinsert` of the insert calls inserts a key
/// of the window again; the others insert new keys. After the share `erase` of the insert calls, a
/// key of the window is erased.
struct StreamWindow {
  std::uint64_t size = 0;
  std::uint64_t inserts_per_tick = 0;  ///< 0 if the unit is `keys`
  double reinsert = 0;
  double erase = 0;

  [[nodiscard]] bool is_in_ticks() const noexcept { return inserts_per_tick > 0; }

  /// Returns the name of the unit in configs and columns: "keys" or "ticks".
  [[nodiscard]] std::string_view unit() const noexcept { return is_in_ticks() ? "ticks" : "keys"; }

  /// Returns the number of the newest insert calls that are certainly in the window, before ticks
  /// in the unit `ticks`: the capacity of a filter for the window.
  [[nodiscard]] std::uint64_t num_inserts() const noexcept {
    return is_in_ticks() ? size * inserts_per_tick : size;
  }

  friend auto operator<=>(const StreamWindow&, const StreamWindow&) = default;
};

/// A stream of items whose duplicates a filter stops. The keys of the items are drawn from
/// num_distinct keys by a Zipf law. The filter is queried for each item: an item passes if its key
/// tests negative, and is stopped otherwise.
struct ItemStream {
  /// Which items are inserted after their query. An insert of a stopped item makes a filter that
  /// forgets contain its key for longer.
  enum class Insert { kPassed, kAll };

  double zipf = 0;                 ///< exponent s > 0 of the law
  std::uint64_t num_distinct = 0;  ///< N: number of keys, and of ranks of the law
  Insert insert = Insert::kPassed;
  /// c: the filter is cleared before insert c + 1 since it was empty. 0 if it is never cleared.
  std::uint64_t clear_every = 0;

  /// Returns the name of the rule in configs and columns: "passed" or "all".
  [[nodiscard]] std::string_view insert_name() const noexcept {
    return insert == Insert::kPassed ? "passed" : "all";
  }

  friend auto operator<=>(const ItemStream&, const ItemStream&) = default;
};

/// One point of a unit: the state of a filter, and the number of queries.
struct Point {
  /// Number of distinct keys inserted; of insert calls if the unit has a window; of items if it has
  /// a stream.
  std::uint64_t num_inserted = 0;
  unsigned num_hashes = 0;  ///< 0 if the variant chooses k (scalable)
  std::uint64_t num_queries = 0;
  /// Number of keys for which the point's grid sizes its filters. The capacity is absent if the
  /// grid has no capacity, or if several grids of the point have different capacities. The capacity
  /// is not part of the unit's id.
  std::optional<std::uint64_t> capacity{};
  /// Requested bits per key in the point's grid, before rounding to whole cells or blocks. The bits
  /// per key are absent if the grid specifies another kind of size, or if several grids of the
  /// point differ in this number. The bits per key are not part of the unit's id.
  std::optional<double> bits_per_key{};

  friend auto operator<=>(const Point&, const Point&) = default;
};

/// The smallest piece of work that a run distributes and resumes: all (n, k) of one (variant, keys,
/// hash, probes, geometry, params, trial). All engines have the same units. With churn, each point
/// fills its own filter, but the points still belong to one unit.
struct Unit {
  std::string id{};  ///< 32 hex digits of unit_id()
  std::string variant{};
  KeySource keys{};
  std::string hash{};
  std::string probes{};
  /// Size and resolved params, without num_hashes. Exactly one size is set: num_bits, num_counters
  /// or target_false_positive_rate. The filter of a point has this spec and the point's num_hashes.
  FilterSpec spec{};
  std::string params{};  ///< spec.params as canonical JSON, as in the rows
  std::optional<Churn> churn{};
  std::optional<StreamWindow> window{};  ///< absent with churn
  std::optional<ItemStream> stream{};    ///< absent with churn or a window
  std::uint64_t root_seed = 0;
  std::uint64_t trial = 0;
  std::vector<Point> points{};  ///< sorted and distinct
};

/// Returns the spec of one point's filter.
[[nodiscard]] inline FilterSpec point_spec(const Unit& unit, const Point& point) {
  FilterSpec spec = unit.spec;
  if (point.num_hashes != 0) spec.num_hashes = point.num_hashes;
  return spec;
}

}  // namespace bloometry
