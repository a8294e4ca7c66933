// Defines the steps of a sequence on the whole filter: operations with another filter, fold, clear,
// copy and move.

#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "tests/differential/sequence.hpp"

namespace bloometry::test {
namespace {

template <class Call>
bool is_refused(Call call) {
  try {
    call();
    return false;
  } catch (const ConfigError&) {
    return true;
  }
}

}  // namespace

/// Returns the steps that the filter's class supports.
std::vector<Sequence::NamedStep> Sequence::whole_steps() const {
  std::vector<NamedStep> steps = {{"check", &Sequence::require_members},
                                  {"rebuild", &Sequence::check_rebuilt},
                                  {"copy", &Sequence::copy},
                                  {"move", &Sequence::move},
                                  {"swap", &Sequence::swap},
                                  {"clear", &Sequence::clear}};
  if (can_.assign) steps.push_back({"assign", &Sequence::assign});
  if (can_.merge) steps.push_back({"merge", &Sequence::merge});
  if (can_.merge) steps.push_back({"merge with itself", &Sequence::merge_itself});
  if (can_.merge) steps.push_back({"refuse unlike", &Sequence::refuse_unlike});
  if (can_.intersect) steps.push_back({"intersect", &Sequence::intersect});
  if (can_.fold) steps.push_back({"fold", &Sequence::fold});
  if (can_.tick) steps.push_back({"tick", &Sequence::tick});
  if (can_.erase) steps.push_back({"erase absent", &Sequence::erase_absent});
  if (can_.erase) steps.push_back({"repair", &Sequence::repair});
  if (can_.erase && !has_own_rule_ && geometry_.cell_bits <= 8) {
    steps.push_back({"count once", &Sequence::count_once});
  }
  return steps;
}

/// Merges another filter. Inserts the other filter's keys into the twin. The twin and the merged
/// filter must then have the same cells.
void Sequence::merge() {
  const Keys keys = draw_some_keys();
  const std::unique_ptr<TestedFilter> other = built_of(keys);
  const std::unique_ptr<TestedFilter> other_before = other->copy();
  filter_->merge(*other);
  require(other->equals(*other_before), "merge changed the other filter");
  for (const Key key : keys) {
    twin_->insert_one(key);
    model_.insert(key);
  }
  num_operations_ += keys.size();
}

/// Merges the filter with itself. Inserts every key into the twin once more. If the keys do not
/// determine the cells, the twin is merged with itself instead.
void Sequence::merge_itself() {
  if (model_.total() > 5000) return;
  const bool inserts = determines_cells() && model_.kind() == Model::Kind::kMultiset;
  const Keys keys = model_.keys();
  filter_->merge(*filter_);
  if (inserts) {
    for (const Key key : keys) twin_->insert_one(key);
  } else {
    twin_->merge(*twin_);
  }
  model_.insert_itself();
  require_equal_filters("merge with itself is not every key once more");
  if (inserts) twin_ = filter_->copy();  // refused erases then count twice in both
  num_refused_ *= 2;
}

void Sequence::intersect() {
  Keys keys = draw_some_keys();
  for (std::size_t i = 0; i < keys.size() && i < 64; i += 2) {
    for (int tries = 0; tries < 4 && model_.count(keys[i]) == 0; ++tries) {
      keys[i] = random_.below(shape_.num_keys);
    }
  }
  const std::unique_ptr<TestedFilter> other = built_of(keys);
  const std::unique_ptr<TestedFilter> before = filter_->copy();
  filter_->intersect(*other);
  twin_->intersect(*other);
  model_.intersect(keys);
  for (const Key key : draw_keys(2 * shape_.num_keys)) {
    const bool is_in_both = before->contains_one(key) && other->contains_one(key);
    require(filter_->contains_one(key) == is_in_both, "intersect is not the AND of both");
  }
  require_members();
}

/// Requires that merge and intersect refuse a filter with another m or k. check_all() detects a
/// change by the refused operation.
void Sequence::refuse_unlike() {
  FilterSpec spec = shape_.spec;
  const unsigned k = *spec.num_hashes;
  if (random_.one_in(2) && configuration_.scheme.hashes_near(k - 1) < k) {
    spec.num_hashes = k - 1;
  } else {
    *spec.num_bits += std::uint64_t{geometry_.block_cells} * geometry_.cell_bits;
  }
  const std::unique_ptr<TestedFilter> other = make(spec);
  other->insert(draw_some_keys());
  require(is_refused([&] { filter_->merge(*other); }), "merge with another size was accepted");
  if (!can_.intersect) return;
  require(is_refused([&] { filter_->intersect(*other); }), "intersect with another was accepted");
}

void Sequence::fold() {
  constexpr std::array<std::uint64_t, 9> kDivisors = {1, 2, 3, 4, 5, 6, 8, 12, 24};
  const std::uint64_t divisor = random_.pick(kDivisors);
  // A partitioned filter folds each slice, a filter with blocks folds the blocks, and other filters
  // fold all bits together.
  const bool has_slices = configuration_.scheme.variant->name == "partitioned";
  const std::uint64_t part = has_slices ? geometry_.num_hashes : geometry_.block_cells;
  const bool divides = geometry_.num_cells % (divisor * part) == 0 || divisor == 1;
  std::unique_ptr<TestedFilter> folded;
  const bool was_refused = is_refused([&] { folded = filter_->fold(divisor); });
  require(was_refused == !divides, "fold is refused if and only if the divisor does not divide");
  if (was_refused) return;
  FilterSpec smaller = shape_.spec;
  *smaller.num_bits /= divisor;
  const std::unique_ptr<TestedFilter> built = make(smaller);
  built->insert(model_.keys());
  if (determines_cells()) require(folded->equals(*built), "fold is not the smaller filter");
  for (const Key key : draw_keys(shape_.num_keys)) {
    require(folded->contains_one(key) || !model_.must_contain(key), "fold lost a key");
  }
}

void Sequence::tick() {
  filter_->tick();
  twin_->tick();
  model_.tick();
}

void Sequence::clear() {
  if (random_.one_in(2)) return;  // so that filters become fuller
  filter_->clear();
  twin_->clear();
  model_.clear();
  num_refused_ = 0;
  num_inserts_ = 0;
  num_new_ = 0;
  const std::unique_ptr<TestedFilter> fresh = make(shape_.spec);
  require(filter_->equals(*fresh), "a cleared filter differs from a new one");
  require(filter_->state() == fresh->state(), "a cleared filter's state is not a new one's");
}

/// Changes a copy of the filter and requires that the filter is unchanged. Then changes the filter
/// and requires that the copy is unchanged.
void Sequence::copy() {
  const std::unique_ptr<TestedFilter> other = filter_->copy();
  require(other->equals(*filter_), "a copy differs");
  const Keys keys = draw_keys(shape_.num_keys);
  random_.one_in(4) ? other->clear() : static_cast<void>(other->insert(keys));
  require_equal_filters("a change of the copy changed the filter");
  const std::unique_ptr<TestedFilter> before = other->copy();
  insert_keys(keys);
  require(other->equals(*before), "a change of the filter changed the copy");
}

/// Assigns a filter of other keys or of another shape, then the original filter, then the filter
/// itself.
void Sequence::assign() {
  std::unique_ptr<TestedFilter> other =
      make(random_.one_in(2) ? shape_.spec : draw_shape(configuration_, planned_, random_).spec);
  other->insert(draw_some_keys());
  other->assign(*filter_);
  require(other->equals(*filter_), "a filter that was assigned to differs");
  filter_->insert(draw_some_keys());
  filter_->assign(*other);
  filter_->assign_itself();
  if (random_.one_in(2)) std::swap(filter_, other);
}

void Sequence::move() {
  filter_->move_there_and_back();
}

void Sequence::swap() {
  const std::unique_ptr<TestedFilter> other = built_of(draw_some_keys());
  filter_->swap(*other);
  require(other->equals(*twin_), "swap did not hand over the filter");
  other->swap(*filter_);
}

/// Requires that refused erases do not change any cell.
void Sequence::erase_absent() {
  const std::unique_ptr<TestedFilter> before = filter_->copy();
  Keys keys;
  for (const Key key : draw_keys(2 * shape_.num_keys)) {
    if (!twin_->contains_one(key)) keys.push_back(key);
  }
  require(filter_->erase(keys) == 0, "a key was erased that was not contained");
  for (const Key key : keys) {
    require(!twin_->erase_one(key), "a key was erased that was not contained");
  }
  require(filter_->equals(*before), "a refused erase changed the filter");
  num_refused_ += keys.size();
  num_operations_ += keys.size();
}

/// Requires that an insert of a key adds one to each of its cells, even if several probes of the
/// key fall on the cell. Inserts a key max - 1 times, where max is the maximum of a counter, and
/// requires that cells are not saturated. The next insert of the key must saturate all of its
/// cells.
void Sequence::count_once() {
  const std::uint64_t max = (std::uint64_t{1} << geometry_.cell_bits) - 1;
  const Key key = random_.below(shape_.num_keys);
  const std::unique_ptr<TestedFilter> other = built_of(Keys(max - 1, key));
  require(other->state().num_saturated == 0, "a key adds more than one to a cell");
  other->insert_one(key);
  const FilterState full = other->state();
  require(full.num_saturated == full.num_ones, "a key does not add one to each of its cells");
}

/// Inserts the keys that were erased wrongly. The model then guarantees all members again.
void Sequence::repair() {
  insert_both(model_.owed_keys());
}

}  // namespace bloometry::test
