#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "core/statistics/draws.hpp"
#include "experiments/trial/unit_run.hpp"
#include "experiments/unit/key_lifetime.hpp"
#include "experiments/unit/trial_row.hpp"
#include "experiments/unit/unit.hpp"
#include "experiments/workload/zipf_ranks.hpp"

namespace bloometry {

/// The items of a unit with a stream, and the filter that stops their duplicates. The keys of the
/// items depend only on the unit. README.md of this folder defines the counts.
class ItemStreamRun {
 public:
  /// Prepares the stream of an empty filter that is not limited.
  /// @param keys the num_distinct keys of the stream, in the order of their ranks
  /// @param lifetime of keys in the filter; nullopt if the filter does not forget
  ItemStreamRun(const Unit& unit, AnyFilter& filter, std::span<const Digest> keys,
                const std::optional<KeyLifetime>& lifetime);

  /// Processes the items up to item num_items.
  void run_up_to(UnitRun& run, std::uint64_t num_items);

  /// Returns a sample of the keys that the filter must contain.
  [[nodiscard]] std::vector<Digest> sample() const;

  /// Sets the counts of the stream in the row.
  void count(TrialRow& row) const noexcept;

 private:
  /// The facts about a key that do not depend on the answers of the filter.
  struct KeyTruth {
    std::uint64_t last_insert = 0;  // number of its last insert, from 1; 0 before the first
    bool is_duplicate = false;      // whether an item had this key
  };

  void process_block(std::uint64_t num_items);
  void process_item(std::uint64_t rank);
  void count_item(const KeyTruth& key, bool is_stopped) noexcept;
  void insert(std::uint64_t rank);
  [[nodiscard]] bool must_contain(const KeyTruth& key) const noexcept;

  const Unit& unit_;
  const ItemStream& stream_;
  AnyFilter& filter_;
  std::span<const Digest> keys_;
  std::optional<KeyLifetime> lifetime_;
  Draws draws_;
  ZipfRanks ranks_;
  std::vector<KeyTruth> truth_;         // by rank
  std::vector<std::uint64_t> block_{};  // ranks of the next items
  std::uint64_t num_items_ = 0;
  std::uint64_t num_inserts_ = 0;
  std::uint64_t num_cleared_ = 0;  // inserts before the filter was cleared last
  std::uint64_t num_originals_ = 0;
  std::uint64_t num_originals_stopped_ = 0;
  std::uint64_t num_duplicates_passed_ = 0;
  std::uint64_t num_held_ = 0;
  std::uint64_t num_lost_ = 0;
};

/// Returns the memory of an ItemStreamRun in bytes, without that of its filter and keys.
[[nodiscard]] std::uint64_t item_stream_bytes(const ItemStream& stream) noexcept;

}  // namespace bloometry
