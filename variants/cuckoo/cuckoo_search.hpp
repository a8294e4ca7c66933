#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

namespace bloometry {

/// Search for the fewest moves of fingerprints that free a cell in one of two full buckets of a
/// cuckoo table. Each move takes a fingerprint from a cell to the fingerprint's other bucket. The
/// search is breadth-first, so no bucket occurs twice on the path to the first free cell. Nothing
/// moves before the search has found a free cell, so a failed search leaves the table unchanged.
///
/// The search gives up after kMaxBuckets buckets. With 1,024 buckets, tables become fuller than
/// with the random walk of 500 moves of Fan et al. (2014), in equal time (README.md, "Full
/// tables").
template <class Table, class Partner>
class CuckooSearch {
 public:
  static constexpr unsigned kMaxBuckets = 1024;

  /// @param partner function (bucket, fingerprint) that returns the fingerprint's other bucket
  CuckooSearch(Table& table, Partner partner) noexcept : table_(table), partner_(partner) {}

  /// Frees a cell of one of two full buckets. Returns the bucket, or std::nullopt if no cell was
  /// found. In that case, the table is unchanged.
  std::optional<std::uint64_t> free_cell(std::uint64_t first, std::uint64_t second) noexcept {
    found_[0] = {first, 0, 0};
    found_[1] = {second, 0, 0};
    unsigned num_found = 2;
    for (unsigned i = 0; i < num_found && num_found < kMaxBuckets; ++i) {
      for (unsigned cell = 0; cell < table_.bucket_cells(); ++cell) {
        const std::uint64_t fingerprint = table_.get(found_[i].bucket, cell);
        const std::uint64_t other = partner_(found_[i].bucket, fingerprint);
        if (const auto free = first_free_cell(table_, other)) {
          return move_along(i, cell, other, *free);
        }
        if (num_found < kMaxBuckets) found_[num_found++] = {other, i, cell};
      }
    }
    return std::nullopt;
  }

  /// Returns the first free cell of a bucket, or std::nullopt if the bucket is full.
  static std::optional<unsigned> first_free_cell(const Table& table,
                                                 std::uint64_t bucket) noexcept {
    const auto cell = static_cast<unsigned>(std::countr_one(table.occupied(bucket)));
    return cell < table.bucket_cells() ? std::optional(cell) : std::nullopt;
  }

 private:
  /// A full bucket, to which the fingerprint in cell `cell` of the bucket found_[from] could move.
  struct Bucket {
    std::uint64_t bucket;
    std::uint32_t from;
    std::uint32_t cell;
  };

  /// Moves the fingerprint in a cell of found_[i] to the free cell, then fills each cell that
  /// became free from the bucket before it on the path. Returns the bucket at the start of the
  /// path.
  std::uint64_t move_along(unsigned i, unsigned cell, std::uint64_t free_bucket,
                           unsigned free_cell) noexcept {
    for (;;) {
      const Bucket& full = found_[i];
      table_.set(free_bucket, free_cell, table_.get(full.bucket, cell));
      free_bucket = full.bucket;
      free_cell = cell;
      if (i < 2) break;
      cell = full.cell;
      i = full.from;
    }
    table_.set(free_bucket, free_cell, 0);
    return free_bucket;
  }

  Table& table_;
  Partner partner_;
  std::array<Bucket, kMaxBuckets> found_;
};

}  // namespace bloometry
