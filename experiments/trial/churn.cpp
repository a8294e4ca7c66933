#include "experiments/trial/churn.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/statistics/seed_sequence.hpp"
#include "experiments/unit/key_demand.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kOperationsPerReport = 4096;

}  // namespace

std::uint64_t count_churn_operations(const Unit& unit, std::uint64_t num_keys) {
  const ChurnRound round = churn_round(*unit.churn, num_keys);
  return unit.churn->rounds *
             (round.num_member_erases + round.num_wrongful_erases + round.num_reinserts) +
         key_demand(unit).num_candidates;
}

ChurnRun::ChurnRun(const UnitRun& run, AnyFilter& filter, std::span<const Digest> members,
                   const Point& point, DigestCursor candidates)
    : run_(run),
      filter_(filter),
      members_(members),
      num_keys_(point.num_inserted),
      candidates_(std::move(candidates)),
      draws_(SeedSequence(run.unit.root_seed).seed("churn", run.unit.keys.name, run.unit.trial)),
      order_(members.size()),
      num_present_(members.size()) {
  std::iota(order_.begin(), order_.end(), std::uint64_t{0});
}

void ChurnRun::run() {
  const ChurnRound round = churn_round(*run_.unit.churn, num_keys_);
  for (std::uint64_t i = 0; i < run_.unit.churn->rounds; ++i) run_round(round);
  // The planned work includes all candidates, so unused candidates are now counted as done.
  run_.advance(count_churn_operations(run_.unit, num_keys_) - num_reported_);
}

void ChurnRun::run_round(const ChurnRound& round) {
  for (std::uint64_t i = 0; i < round.num_member_erases; ++i) erase_member();
  for (std::uint64_t i = 0; i < round.num_wrongful_erases; ++i) erase_candidate();
  for (std::uint64_t i = 0; i < round.num_reinserts; ++i) reinsert_member();
}

void ChurnRun::erase_member() {
  count_operation();
  if (num_present_ == 0) return;
  const std::uint64_t drawn = draws_.next(num_present_);
  // If the filter refuses the erase, the key stays present and must still be found.
  if (filter_.erase({&members_[order_[drawn]], 1}) == 0) return;
  std::swap(order_[drawn], order_[--num_present_]);
}

void ChurnRun::reinsert_member() {
  count_operation();
  const std::uint64_t num_removed = members_.size() - num_present_;
  if (num_removed == 0) return;
  const std::uint64_t drawn = num_present_ + draws_.next(num_removed);
  if (filter_.try_insert({&members_[order_[drawn]], 1}).is_full) {
    ++num_refused_inserts_;
    return;
  }
  std::swap(order_[drawn], order_[num_present_++]);
}

void ChurnRun::erase_candidate() {
  count_operation();
  const Digest* candidate = next_positive_candidate();
  if (candidate != nullptr) num_wrongful_erases_ += filter_.erase({candidate, 1});
}

const Digest* ChurnRun::next_positive_candidate() {
  while (const Digest* candidate = next_candidate()) {
    count_operation();
    if (filter_.count_positives({candidate, 1}) != 0) return candidate;
  }
  return nullptr;
}

const Digest* ChurnRun::next_candidate() {
  if (block_.empty()) block_ = candidates_.next();
  if (block_.empty()) return nullptr;
  const Digest* candidate = &block_.front();
  block_ = block_.subspan(1);
  return candidate;
}

void ChurnRun::count_operation() {
  if (++num_operations_ - num_reported_ < kOperationsPerReport) return;
  run_.advance(num_operations_ - num_reported_);
  num_reported_ = num_operations_;
}

}  // namespace bloometry
