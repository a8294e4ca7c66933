#include "experiments/subject/filter_queries.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "experiments/workload/synthetic_keys.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kRepeatShare = 16;    // one query in 16 repeats an earlier absent key
constexpr std::size_t kMaxRemembered = 4096;  // maximum number of positives, and of negatives
constexpr std::uint64_t kMinRepeats = 8;      // minimum after the other queries of a filter
constexpr std::uint64_t kMaxRepeats = 256;

}  // namespace

FilterQueries::FilterQueries(Subject& subject, const Members& members, std::uint64_t first_absent,
                             std::uint64_t seed)
    : subject_(subject), members_(members), next_absent_(first_absent), order_(seed) {
  // The sequence start, start + stride, ... modulo the number of members contains each member once.
  first_member_ = order_.next(members.num_queried);
  member_stride_ = 1 + order_.next(members.num_queried);
  while (std::gcd(member_stride_, members.num_queried) != 1) ++member_stride_;
}

FilterQueries::Answers FilterQueries::send_mixed(std::size_t size, std::uint64_t max_absent) {
  const std::uint64_t limit = std::min(size, Subject::kMaxBatch);
  const std::uint64_t num_repeats =
      !remembers() ? 0 : (max_absent == 0 ? limit / 2 : limit / kRepeatShare);
  const std::uint64_t num_left = members_.num_queried - num_members_done_;
  const std::uint64_t room = limit - num_repeats;
  const std::uint64_t num_members =
      std::min(num_left, max_absent == 0 ? room : std::max<std::uint64_t>(1, room / 2));
  const std::uint64_t num_again = num_left > 0 ? 0 : limit / kRepeatShare;
  add_repeats(num_repeats);
  add_members(num_members);
  add_members_again(num_again);
  add_absent_keys(std::min(max_absent, limit - queries_.size()));
  return send();
}

FilterQueries::Answers FilterQueries::repeat() {
  const std::uint64_t count = std::clamp(num_absent_done_ / kRepeatShare, kMinRepeats, kMaxRepeats);
  if (remembers()) add_repeats(count);
  add_members_again(count);
  return send();
}

/// Returns the i-th queried member. Queried members are equally spaced among the inserted members.
std::uint64_t FilterQueries::member_item(std::uint64_t i) const {
  const auto [trial, num_inserted, num_queried] = members_;
  std::uint64_t index = i;
  if (num_queried != num_inserted) {
    const double last = static_cast<double>(num_inserted - 1);
    const double share =
        num_queried < 2 ? 0 : static_cast<double>(i) / static_cast<double>(num_queried - 1);
    index = std::min(num_inserted - 1, static_cast<std::uint64_t>(share * last));
  }
  return item_number(KeyRole::kMember, index, trial);
}

void FilterQueries::add_members(std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    queries_.push_back({member_item(first_member_), Kind::kMember, '1'});
    first_member_ = (first_member_ + member_stride_) % members_.num_queried;
  }
  num_members_done_ += count;
}

void FilterQueries::add_members_again(std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    queries_.push_back({member_item(order_.next(members_.num_queried)), Kind::kRepeat, '1'});
  }
}

void FilterQueries::add_absent_keys(std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    queries_.push_back(
        {item_number(KeyRole::kQuery, next_absent_++, members_.trial), Kind::kAbsent, '0'});
  }
  num_absent_done_ += count;
}

/// Adds repeated keys. If positives exist, half of the repeated keys are positives. Repeated
/// negatives provide little information if few keys are positive.
void FilterQueries::add_repeats(std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const bool is_positive = true_negatives_.empty() || (!false_positives_.empty() && i % 2 == 0);
    const auto& remembered = is_positive ? false_positives_ : true_negatives_;
    queries_.push_back({remembered[static_cast<std::size_t>(order_.next(remembered.size()))],
                        Kind::kRepeat, is_positive ? '1' : '0'});
  }
}

void FilterQueries::remember(std::uint64_t item, char answer) {
  auto& remembered = answer == '1' ? false_positives_ : true_negatives_;
  if (remembered.size() < kMaxRemembered) {
    remembered.push_back(item);
  } else {
    remembered[static_cast<std::size_t>(order_.next(kMaxRemembered))] = item;
  }
}

FilterQueries::Answers FilterQueries::send() {
  for (std::size_t i = queries_.size(); i > 1; --i) {
    std::swap(queries_[i - 1], queries_[static_cast<std::size_t>(order_.next(i))]);
  }
  std::vector<std::uint64_t> items;
  items.reserve(queries_.size());
  for (const Query& query : queries_) items.push_back(query.item);
  const std::string found = subject_.query(items);
  Answers answers;
  for (std::size_t i = 0; i < queries_.size(); ++i) {
    const auto& [item, kind, before] = queries_[i];
    switch (kind) {
      case Kind::kMember:
        ++answers.num_member_queries;
        answers.num_lost += found[i] == '0' ? 1 : 0;
        break;
      case Kind::kAbsent:
        ++answers.num_queries;
        answers.num_false_positives += found[i] == '1' ? 1 : 0;
        remember(item, found[i]);
        break;
      case Kind::kRepeat:
        ++answers.num_repeats;
        answers.num_changed += found[i] != before ? 1 : 0;
        break;
    }
  }
  queries_.clear();
  return answers;
}

}  // namespace bloometry
