#include "experiments/trial/window_stream.hpp"

#include <algorithm>

#include "core/statistics/seed_sequence.hpp"
#include "experiments/workload/member_sample.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kCallsPerBlock = DigestCursor::kDigestsPerBlock;

/// Adds keys to a list, and calls count(keys) for each full block and for the rest.
template <class Count>
class Blocks {
 public:
  explicit Blocks(Count count) : count_(count) { keys_.reserve(kCallsPerBlock); }

  void add(std::uint64_t key) {
    keys_.push_back(key);
    if (keys_.size() == kCallsPerBlock) finish();
  }

  void finish() {
    count_(keys_);
    keys_.clear();
  }

 private:
  Count count_;
  std::vector<std::uint64_t> keys_;
};

}  // namespace

WindowStream::WindowStream(const Unit& unit, AnyFilter& filter, std::span<const Digest> members,
                           std::uint64_t max_calls, const std::optional<KeyLifetime>& lifetime,
                           Calls calls)
    : unit_(unit),
      window_(*unit.window),
      filter_(filter),
      members_(members),
      lifetime_(lifetime),
      calls_(calls),
      is_single_(filter.is_limited() || window_.erase > 0),
      draws_(SeedSequence(unit.root_seed).seed("window", unit.keys.name, unit.trial)),
      truth_(window_, max_calls) {
  pending_.reserve(kCallsPerBlock);
}

void WindowStream::run_up_to(UnitRun& run, std::uint64_t num_calls) {
  while (truth_.num_calls() < num_calls) {
    const std::uint64_t count = std::min(num_calls - truth_.num_calls(), kCallsPerBlock);
    {
      const PhaseTimer timer(run.timing.insert_s);
      for (std::uint64_t i = 0; i < count; ++i) make_call();
      flush();
    }
    run.advance(count);
  }
}

void WindowStream::make_call() {
  const std::uint64_t key = next_key();
  is_single_ ? try_insert(key) : insert(key);
  if (draws(window_.erase)) erase_key();
  if (window_.is_in_ticks() && truth_.num_calls() % window_.inserts_per_tick == 0) {
    flush();
    if (filter_.can_tick()) filter_.tick();
  }
}

std::uint64_t WindowStream::next_key() {
  const bool is_repeated = draws(window_.reinsert);
  return is_repeated && truth_.num_in_window() > 0 ? draw_in_window() : num_new_++;
}

void WindowStream::insert(std::uint64_t key) {
  pending_.push_back(members_[key]);
  truth_.insert(key);
}

void WindowStream::try_insert(std::uint64_t key) {
  if (filter_.try_insert({&members_[key], 1}).is_full) {
    ++num_refused_;
    truth_.refuse();
  } else {
    truth_.insert(key);
  }
}

void WindowStream::erase_key() {
  if (truth_.num_in_window() == 0) return;
  const std::uint64_t key = draw_in_window();
  // If the filter refuses the erase, the key stays in the window and must still be found.
  if (filter_.erase({&members_[key], 1}) != 0) truth_.erase(key);
}

void WindowStream::flush() {
  if (!pending_.empty()) insert_block(filter_, pending_, calls_);
  pending_.clear();
}

/// Returns true with the given probability.
bool WindowStream::draws(double share) {
  if (share == 0) return false;
  constexpr std::uint64_t kRange = std::uint64_t{1} << 53U;
  return static_cast<double>(draws_.next(kRange)) < share * static_cast<double>(kRange);
}

std::uint64_t WindowStream::draw_in_window() {
  return truth_.in_window(draws_.next(truth_.num_in_window()));
}

/// Returns the number of rotations of the filter after an insert call. If inserts cause rotations,
/// the generation of call c, counted from 0, is number c / g. In a stream with ticks, ticks come
/// before inserts cause a rotation (window_problems.hpp).
std::uint64_t WindowStream::num_rotations_since(std::uint64_t call) const noexcept {
  if (window_.is_in_ticks()) return truth_.num_ticks_since(call);
  if (!lifetime_->generation_capacity) return 0;
  const std::uint64_t capacity = *lifetime_->generation_capacity;
  return (truth_.num_calls() - 1) / capacity - call / capacity;
}

bool WindowStream::must_contain(std::uint64_t key) const noexcept {
  if (!truth_.was_inserted(key) || truth_.is_erased(key)) return false;
  return !lifetime_ || num_rotations_since(truth_.last_call(key)) <= lifetime_->num_found;
}

bool WindowStream::may_contain(std::uint64_t key) const noexcept {
  if (!lifetime_) return !truth_.is_erased(key);
  return num_rotations_since(truth_.last_call(key)) < lifetime_->num_gone;
}

std::vector<Digest> WindowStream::sample() const {
  std::uint64_t num_contained = 0;
  for (std::uint64_t key = 0; key < num_new_; ++key) num_contained += must_contain(key) ? 1U : 0U;
  const MemberSample sample(unit_, num_contained);
  std::vector<Digest> digests;
  digests.reserve(sample.size());
  std::uint64_t index = 0;
  for (std::uint64_t key = 0; digests.size() < sample.size(); ++key) {
    if (must_contain(key) && index++ == sample.index(digests.size())) {
      digests.push_back(members_[key]);
    }
  }
  return digests;
}

void WindowStream::count(UnitRun& run, std::uint64_t num_queries, TrialRow& row) const {
  const PhaseTimer timer(run.timing.query_s);
  std::uint64_t num_found = 0;
  Blocks in_window([&](const auto& keys) { num_found += count_present(keys); });
  for (std::uint64_t i = 0; i < truth_.num_in_window(); ++i) in_window.add(truth_.in_window(i));
  in_window.finish();
  row.num_window_queries = truth_.num_in_window();
  row.num_window_violations = truth_.num_in_window() - num_found;

  std::uint64_t num_expired = 0;
  std::uint64_t num_retained = 0;
  std::uint64_t num_present = 0;
  Blocks gone([&](const auto& keys) { num_present += count_present(keys); });
  truth_.for_each_expired([&](std::uint64_t key) {
    if (num_expired == num_queries) return false;
    ++num_expired;
    if (may_contain(key)) {
      ++num_retained;
    } else {
      gone.add(key);
    }
    return true;
  });
  gone.finish();
  row.num_expired_queries = num_expired;
  row.num_expired_retained = num_retained;
  row.num_expired_present = num_present;
}

std::uint64_t WindowStream::count_present(std::span<const std::uint64_t> keys) const {
  std::vector<Digest> digests;
  digests.reserve(keys.size());
  for (const std::uint64_t key : keys) digests.push_back(members_[key]);
  return count_positives(filter_, digests, calls_);
}

}  // namespace bloometry
