#include "tests/differential/sequence.hpp"

#include <algorithm>
#include <exception>

#include "core/hash/mix.hpp"

namespace bloometry::test {
namespace {

std::uint64_t seed_of(std::uint64_t seed, std::uint64_t sequence) {
  return mix64(mix64(seed) + sequence * kGoldenGamma);
}

bool is_clamped(const FilterSpec& spec) {
  const auto found = spec.params.find("saturation");
  return found != spec.params.end() && found->second == ParamValue(std::string("clamped"));
}

}  // namespace

std::uint64_t planned_operations(std::uint64_t seed, std::uint64_t sequence) {
  return static_cast<std::uint64_t>(Random(seed_of(seed, sequence)).log_between(200, 10000));
}

SequenceResult run_sequence(const Configuration& configuration, std::uint64_t seed,
                            std::uint64_t sequence) {
  Sequence one(configuration, seed, sequence);
  SequenceResult result;
  try {
    one.run();
  } catch (const std::exception& error) {
    result.failure = one.location() + ": " + error.what();
  }
  result.num_operations = one.num_operations();
  result.checksum = mix64(one.checksum() + sequence);
  return result;
}

Sequence::Sequence(const Configuration& configuration, std::uint64_t seed, std::uint64_t sequence)
    : configuration_(configuration),
      planned_(planned_operations(seed, sequence)),
      random_(seed_of(seed, sequence) ^ kRootTwoGamma),
      hash_seed_(random_.next()),
      shape_(draw_shape(configuration, planned_, random_)),
      geometry_(configuration.scheme.geometry(shape_.spec)),
      erases_wrongly_(random_.one_in(4)),
      is_clamped_(is_clamped(shape_.spec)),
      has_own_rule_(!configuration.scheme.variant->passes_nonzero_cells() &&
                    !configuration.scheme.can("grow")),
      model_(configuration.scheme.can("erase") ? Model::Kind::kMultiset : Model::Kind::kSet,
             2 * shape_.num_keys, configuration.scheme.window(shape_.spec)),
      filter_(make(shape_.spec)),
      twin_(make(shape_.spec)),
      can_(filter_->abilities()),
      whole_steps_(whole_steps()) {}

std::string Sequence::location() const {
  return configuration_.name + " (" + text_of(shape_.spec) + "), step " +
         std::to_string(num_steps_) + " (" + step_name_ + ")";
}

void Sequence::run() {
  while (num_operations_ < planned_) {
    ++num_steps_;
    step();
  }
  step_name_ = "end";
  check_all();
  check_rebuilt();
  require_members();
}

/// Executes one step. Omits a step on the whole filter if the step would run for too long.
void Sequence::step() {
  const std::uint64_t kind = random_.below(10);
  if (kind < 3) {
    step_name_ = "insert";
    insert_keys(draw_keys(shape_.num_keys));
  } else if (kind < 6 && can_.erase) {
    step_name_ = "erase";
    erase_keys(draw_keys_to_erase());
  } else if (kind < 8) {
    step_name_ = "contains";
    query_keys(draw_keys(2 * shape_.num_keys));
  } else if (is_worthwhile(4 * static_cast<double>(geometry_.num_cells))) {
    const NamedStep& whole = random_.pick(whole_steps_);
    step_name_ = whole.name;
    (this->*whole.step)();
    check_all();
  }
}

void Sequence::insert_keys(const Keys& given) {
  num_operations_ += given.size();
  const Keys keys(given.begin(), given.begin() + static_cast<std::ptrdiff_t>(insert_both(given)));
  std::array<bool, kMostKeys> answers;
  const auto all = std::span(answers).first(keys.size());
  filter_->contains(keys, all);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    require(all[i] || !model_.must_contain(keys[i]), "a key that was inserted is not contained");
  }
}

/// Inserts the keys, up to the first key for which a limited filter has no room. Returns the number
/// of inserted keys.
std::size_t Sequence::insert_both(const Keys& keys) {
  InsertCount count;
  for (const Key key : keys) {
    const bool was_contained = twin_->contains_one(key);
    require(was_contained || !model_.must_contain(key), "a key is not contained before its insert");
    const Insertion insertion = twin_->insert_one(key);
    count.is_full = insertion == Insertion::kFull;
    if (count.is_full) break;
    const bool is_new = insertion == Insertion::kNew;
    require(is_new != was_contained, "insert must say new of exactly the keys not contained");
    ++count.num_inserted;
    count.num_new += is_new ? 1 : 0;
    model_.insert(key);
  }
  require(!count.is_full || configuration_.scheme.is_limited(), "a filter without limit is full");
  require(filter_->insert(keys) == count, "a batch of inserts counts other inserted or new keys");
  num_inserts_ += count.num_inserted;
  num_new_ += count.num_new;
  remember(count.num_new);
  return count.num_inserted;
}

void Sequence::query_keys(const Keys& keys) {
  num_operations_ += keys.size();
  std::array<bool, kMostKeys + 1> answers;
  answers[keys.size()] = random_.one_in(2);
  const bool guard = answers[keys.size()];
  const auto all = std::span(answers).first(keys.size());
  filter_->contains(keys, all);
  require(answers[keys.size()] == guard, "an answer was written past the last");
  for (std::size_t i = 0; i < keys.size(); ++i) {
    require(all[i] || !model_.must_contain(keys[i]), "false negative");
    require(all[i] == twin_->contains_one(keys[i]), "a batch answers other than a single call");
    remember(all[i] ? 2 * i + 1 : 2 * i);
  }
  if (can_.bit_answers) query_bits(keys, all);
  if (!can_.probe_count || keys.empty()) return;
  const bool has_all =
      filter_->num_set_probes(keys[0], geometry_.num_hashes) == geometry_.num_hashes;
  require(has_all || !all[0], "a key is contained, but a probe of it falls on an empty cell");
  require(!has_all || all[0] || has_own_rule_,
          "a key is not contained, but all its probes fall on cells that are set");
}

void Sequence::query_bits(const Keys& keys, std::span<const bool> expected) {
  constexpr std::uint64_t kGuard = 0xa5a5a5a5a5a5a5a5ULL;
  std::array<std::uint64_t, kMostKeys / 64 + 1> words;
  words.fill(kGuard);
  const std::size_t num_words = (keys.size() + 63) / 64;
  filter_->contains(keys, std::span(words).first(num_words));
  require(words[num_words] == kGuard, "a word of answers was written past the last");
  for (std::size_t i = 0; i < 64 * num_words; ++i) {
    const bool answer = (words[i / 64] >> (i % 64) & 1U) != 0;
    require(answer == (i < keys.size() && expected[i]), "answers in bits differ from bools");
  }
}

/// Erases keys that are present or test negative. In some sequences the function also erases absent
/// keys that test positive.
void Sequence::erase_keys(const Keys& candidates) {
  if (is_clamped_ && twin_->state().num_saturated > 0) model_.lose_members();
  Keys keys;
  std::uint64_t num_erased = 0;
  for (const Key key : candidates) {
    if (!erases_wrongly_ && model_.count(key) <= 0 && twin_->contains_one(key)) continue;
    keys.push_back(key);
    num_erased += erase_from_twin(key) ? 1 : 0;
  }
  require(filter_->erase(keys) == num_erased, "a batch of erases counts other erased keys");
  num_operations_ += keys.size();
  num_refused_ += keys.size() - num_erased;
  remember(num_erased);
}

bool Sequence::erase_from_twin(Key key) {
  const bool was_contained = twin_->contains_one(key);
  const bool is_member = model_.must_contain(key);
  require(was_contained || !is_member, "a key is not contained before its erase");
  const bool is_erased = twin_->erase_one(key);
  require(was_contained || !is_erased, "a key was erased that was not contained");
  // If two probes of a key fall on one cell, contains() compares each increment with the cell. In
  // this case erase() compares the sum of both increments.
  const bool may_refuse = has_own_rule_ && !is_member;
  require(is_erased || !was_contained || may_refuse, "the erase of a contained key was refused");
  if (is_erased) model_.erase(key);
  return is_erased;
}

/// Requires that all keys with positive count test positive, in batches.
void Sequence::require_members() {
  std::array<bool, kMostKeys> answers;
  Keys keys;
  const auto query_batch = [&] {
    const auto all = std::span(answers).first(keys.size());
    filter_->contains(keys, all);
    require(std::ranges::all_of(all, [](bool answer) { return answer; }), "false negative");
    keys.clear();
  };
  for (Key key = 0; key < shape_.num_keys; ++key) {
    if (model_.must_contain(key)) keys.push_back(key);
    if (keys.size() == kMostKeys) query_batch();
  }
  query_batch();
}

/// Returns whether the cost of work on num_cells cells is small relative to the number of
/// operations so far. Records the cost of the work if the result is true. The cost per bit is lower
/// than the cost per counter, because one access reads a whole word of bits.
bool Sequence::is_worthwhile(double num_cells) {
  const double price = 1 + num_cells / (geometry_.cell_bits == 1 ? 16384 : 512);
  if (spent_ + price > static_cast<double>(num_operations_)) return false;
  spent_ += price;
  return true;
}

void Sequence::remember(std::uint64_t value) {
  checksum_ = mix64(checksum_ + value + kGoldenGamma);
}

}  // namespace bloometry::test
