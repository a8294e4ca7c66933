#include "experiments/trial/item_stream.hpp"

#include <algorithm>

#include "core/statistics/seed_sequence.hpp"
#include "core/store/prefetch.hpp"
#include "experiments/workload/member_sample.hpp"

namespace bloometry {

ItemStreamRun::ItemStreamRun(const Unit& unit, AnyFilter& filter, std::span<const Digest> keys,
                             const std::optional<KeyLifetime>& lifetime)
    : unit_(unit),
      stream_(*unit.stream),
      filter_(filter),
      keys_(keys),
      lifetime_(lifetime),
      draws_(SeedSequence(unit.root_seed).seed("stream", unit.keys.name, unit.trial)),
      ranks_(stream_.zipf, stream_.num_distinct),
      truth_(stream_.num_distinct) {}

void ItemStreamRun::run_up_to(UnitRun& run, std::uint64_t num_items) {
  while (num_items_ < num_items) {
    const std::uint64_t count = std::min(num_items - num_items_, DigestCursor::kDigestsPerBlock);
    {
      const PhaseTimer timer(run.timing.insert_s);
      process_block(count);
    }
    run.advance(count);
  }
}

/// Processes the next items. The keys of a block are drawn before its first item, so that their
/// cache lines are loaded together.
void ItemStreamRun::process_block(std::uint64_t num_items) {
  block_.resize(num_items);
  for (std::uint64_t& rank : block_) {
    rank = ranks_.rank(draws_.next_word());
    prefetch_to_read(&keys_[rank]);
    prefetch_to_write(&truth_[rank]);
  }
  for (const std::uint64_t rank : block_) process_item(rank);
}

void ItemStreamRun::process_item(std::uint64_t rank) {
  const bool is_stopped = filter_.count_positives_singly({&keys_[rank], 1}) != 0;
  count_item(truth_[rank], is_stopped);
  truth_[rank].is_duplicate = true;
  ++num_items_;
  if (!is_stopped || stream_.insert == ItemStream::Insert::kAll) insert(rank);
}

void ItemStreamRun::count_item(const KeyTruth& key, bool is_stopped) noexcept {
  if (!key.is_duplicate) {
    ++num_originals_;
    num_originals_stopped_ += is_stopped ? 1U : 0U;
    return;
  }
  num_duplicates_passed_ += is_stopped ? 0U : 1U;
  if (!must_contain(key)) return;
  ++num_held_;
  num_lost_ += is_stopped ? 0U : 1U;
}

void ItemStreamRun::insert(std::uint64_t rank) {
  if (stream_.clear_every > 0 && num_inserts_ - num_cleared_ == stream_.clear_every) {
    filter_.clear();
    num_cleared_ = num_inserts_;
  }
  filter_.insert_singly({&keys_[rank], 1});
  truth_[rank].last_insert = ++num_inserts_;
}

/// Returns whether the filter promises to contain the key: it was not cleared after the last insert
/// of the key, and has rotated at most num_found times since. Generations change after every
/// generation_capacity inserts.
bool ItemStreamRun::must_contain(const KeyTruth& key) const noexcept {
  if (key.last_insert <= num_cleared_) return false;
  if (!lifetime_ || !lifetime_->generation_capacity) return true;
  const std::uint64_t capacity = *lifetime_->generation_capacity;
  const auto generation_of = [&](std::uint64_t insert) {
    return (insert - num_cleared_ - 1) / capacity;
  };
  return generation_of(num_inserts_) - generation_of(key.last_insert) <= lifetime_->num_found;
}

std::vector<Digest> ItemStreamRun::sample() const {
  const auto is_held = [&](const KeyTruth& key) { return must_contain(key); };
  const auto num_held =
      static_cast<std::uint64_t>(std::count_if(truth_.begin(), truth_.end(), is_held));
  const MemberSample sample(unit_, num_held);
  std::vector<Digest> digests;
  digests.reserve(sample.size());
  std::uint64_t index = 0;
  for (std::size_t rank = 0; digests.size() < sample.size(); ++rank) {
    if (!is_held(truth_[rank])) continue;
    if (index++ == sample.index(digests.size())) digests.push_back(keys_[rank]);
  }
  return digests;
}

void ItemStreamRun::count(TrialRow& row) const noexcept {
  row.num_originals = num_originals_;
  row.num_originals_stopped = num_originals_stopped_;
  row.num_duplicates = num_items_ - num_originals_;
  row.num_duplicates_passed = num_duplicates_passed_;
  row.num_held_duplicates = num_held_;
  row.num_lost_duplicates = num_lost_;
}

std::uint64_t item_stream_bytes(const ItemStream& stream) noexcept {
  constexpr std::uint64_t kLawBytesPerRank = 16;
  constexpr std::uint64_t kTruthBytesPerRank = 16;
  return stream.num_distinct * (kLawBytesPerRank + kTruthBytesPerRank);
}

}  // namespace bloometry
