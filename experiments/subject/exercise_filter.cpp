#include "experiments/subject/exercise_filter.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "experiments/workload/synthetic_keys.hpp"

namespace bloometry {
namespace {

using Items = std::vector<std::uint64_t>;

constexpr std::uint64_t kMaxAbsentErases = 1000;
constexpr int kExtraInserts = 20;  // theory 3.1: sticky counters keep the key after these erases
constexpr int kExtraErases = 15;   // clamping and wrapping counters lose the key

std::uint64_t count_of(const std::string& answers, char answer) {
  return static_cast<std::uint64_t>(std::count(answers.begin(), answers.end(), answer));
}

void insert_on_top(Subject& subject, const Items& items, const std::string& exercise) {
  if (subject.insert(items)) return;
  throw IoError(
      fmt::format("the subject is full before it contains the keys of --exercise {}, which are "
                  "inserted in addition to the first load; use a smaller first load (see --loads)",
                  exercise));
}

/// Calls `use` with each batch of the additional keys, which are a quarter of the filter's keys.
template <class Use>
void for_each_batch(const ExercisedFilter& filter, Use use) {
  const std::uint64_t extra = filter.num_keys / 4 + 1;
  for (std::uint64_t done = 0; done < extra;) {
    Items items(std::min<std::uint64_t>(extra - done, Subject::kMaxBatch));
    for (std::uint64_t& item : items) {
      item = item_number(KeyRole::kMember, filter.free_member + done++, filter.trial);
    }
    use(items);
  }
}

}  // namespace

EraseAnswers exercise_erase(Subject& subject, const ExercisedFilter& filter) {
  EraseAnswers answers;
  for_each_batch(filter, [&](const Items& items) { insert_on_top(subject, items, "erase"); });
  for_each_batch(filter, [&](const Items& items) {
    answers.num_refused += count_of(subject.erase(items), '0');
  });
  Items queried(std::min(filter.num_keys, kMaxAbsentErases));
  for (std::uint64_t& item : queried) {
    item =
        item_number(KeyRole::kQuery, filter.free_absent + answers.num_absent_used++, filter.trial);
  }
  const std::string found = subject.query(queried);
  Items absent;
  for (std::size_t i = 0; i < queried.size(); ++i) {
    if (found[i] == '0') absent.push_back(queried[i]);
  }
  if (!absent.empty()) answers.num_wrongful = count_of(subject.erase(absent), '1');
  return answers;
}

void exercise_saturation(Subject& subject, const ExercisedFilter& filter) {
  const Items one{item_number(KeyRole::kMember, 0, filter.trial)};
  for (int i = 0; i < kExtraInserts; ++i) insert_on_top(subject, one, "saturation");
  for (int i = 0; i < kExtraErases; ++i) static_cast<void>(subject.erase(one));
}

}  // namespace bloometry
