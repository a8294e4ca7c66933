#include "tests/round_trip/round_trip.hpp"

#include <algorithm>
#include <exception>
#include <sstream>
#include <vector>

#include "core/error.hpp"
#include "core/hash/mix.hpp"
#include "tests/differential/configurations.hpp"
#include "tests/round_trip/check_files.hpp"
#include "tests/round_trip/draw_filter.hpp"

namespace bloometry::test {
namespace {

/// Largest stage in bits that a filter of the test opens.
constexpr std::uint64_t kMostStageBits = std::uint64_t{1} << 20U;

constexpr std::uint64_t kQueriesOfEachKind = 200;  // of absent keys and of member keys

/// Number of keys that are inserted into the filter and into its copies after they were read.
constexpr std::uint64_t kFurtherKeys = 8;

std::vector<Digest> draw_keys(std::uint64_t num_keys, Random& random) {
  std::vector<Digest> keys(num_keys);
  for (Digest& key : keys) key = {random.next(), random.next()};
  return keys;
}

/// A random filter under test.
class RoundTrip {
 public:
  RoundTrip(const VariantScheme& scheme, std::uint64_t seed, std::uint64_t number)
      : scheme_(scheme),
        random_(mix64(mix64(seed) + number * kGoldenGamma)),
        drawn_(draw_filter(scheme, random_)),
        filter_(scheme.make(drawn_.spec)) {}

  void run(const std::filesystem::path& folder) {
    const std::vector<Digest> keys = draw_keys(drawn_.num_keys, random_);
    insert(keys);
    if (filter_.can_erase()) filter_.erase(std::span(keys).first(keys.size() / 4));
    std::vector<Digest> queries = draw_keys(kQueriesOfEachKind, random_);
    for (std::uint64_t i = 0; i < kQueriesOfEachKind; ++i) queries.push_back(random_.pick(keys));
    const FileNotes notes{.capacity = drawn_.spec.capacity, .num_inserted = num_inserted_};
    const std::vector<Digest> further = draw_keys(takes(kFurtherKeys) ? kFurtherKeys : 0, random_);
    check_files(filter_, notes, {.queries = queries, .further = further}, folder);
  }

  [[nodiscard]] std::uint64_t num_stages() const { return filter_.state().num_stages.value_or(1); }

  [[nodiscard]] bool was_refused() const { return was_refused_; }

  [[nodiscard]] std::string location() const {
    std::ostringstream text;
    text << scheme_ << " (" << text_of(drawn_.spec) << "), " << drawn_.num_keys << " keys, "
         << num_stages() << " stages";
    return text.str();
  }

 private:
  /// Inserts the keys in batches of random length. Ends early if the next stage would be too large
  /// for the test, or if the filter refuses a key or is full.
  void insert(std::span<const Digest> keys) {
    while (!keys.empty()) {
      const std::uint64_t batch = std::min<std::uint64_t>(keys.size(), random_.between(1, 100));
      const std::uint64_t size = takes(batch) ? batch : 1;
      if (takes(size)) {
        const InsertCount count = filter_.try_insert(keys.first(size));
        num_inserted_ += count.num_inserted;
        if (count.is_full) return;
      } else if (is_next_stage_possible() || is_refused(keys[0])) {
        return;
      } else {
        ++num_inserted_;
      }
      keys = keys.subspan(size);
    }
  }

  /// Inserts a key. Returns whether the filter refuses the key, which must not change the filter.
  bool is_refused(const Digest& key) {
    const AnyFilter before = filter_;
    try {
      filter_.insert(just(key));
      return false;
    } catch (const ConfigError&) {
      was_refused_ = true;
      require(filter_ == before && filter_.state() == before.state(),
              "an insert that was refused changed the filter");
      return true;
    }
  }

  /// Returns whether the filter can open num_keys stages, each small enough for the test.
  [[nodiscard]] bool takes(std::uint64_t num_keys) const {
    if (!scheme_.can("grow")) return true;
    const auto bits = bits_of_stage(drawn_.spec, num_stages() + num_keys - 1);
    return bits && *bits <= kMostStageBits;
  }

  [[nodiscard]] bool is_next_stage_possible() const {
    return bits_of_stage(drawn_.spec, num_stages()).has_value();
  }

  VariantScheme scheme_;
  Random random_;
  DrawnFilter drawn_;
  AnyFilter filter_;
  std::uint64_t num_inserted_ = 0;
  bool was_refused_ = false;
};

}  // namespace

RoundTripResult run_round_trip(const VariantScheme& scheme, std::uint64_t seed,
                               std::uint64_t number, const std::filesystem::path& folder) {
  RoundTrip one(scheme, seed, number);
  RoundTripResult result;
  try {
    one.run(folder);
  } catch (const std::exception& error) {
    result.failure = one.location() + ": " + error.what();
  }
  result.num_stages = one.num_stages();
  result.was_refused = one.was_refused();
  return result;
}

}  // namespace bloometry::test
