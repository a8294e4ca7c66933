// Tests d-left filters that double on their own.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "core/any_filter/filter_file.hpp"
#include "core/any_filter/keyed.hpp"
#include "core/engine/batch.hpp"
#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/test_seed.hpp"
#include "variants/d_left/d_left_filter.hpp"

namespace bloometry {
namespace {

FilterSpec growing_spec(std::uint64_t capacity, std::uint64_t max_capacity, double rate = 0.01) {
  return {.capacity = capacity,
          .target_false_positive_rate = rate,
          .params = {{"max_capacity", double(max_capacity)}}};
}

unsigned remainder_bits_of(const DLeftFilter& filter) {
  return static_cast<unsigned>(number_param(filter.params(), "remainder_bits"));
}

std::uint64_t capacity_of(const DLeftFilter& filter) {
  return d_left_capacity(d_left_subtable_buckets(filter.geometry()), filter.num_hashes());
}

/// Returns an empty filter of the same size that does not grow on its own.
DLeftFilter limited_like(const DLeftFilter& filter) {
  return DLeftFilter({.num_counters = filter.geometry().num_cells,
                      .num_hashes = filter.num_hashes(),
                      .params = {{"remainder_bits", double(remainder_bits_of(filter))}}});
}

/// Path of a file that is deleted at the end of the test.
class GrowthFile {
 public:
  GrowthFile() = default;
  GrowthFile(const GrowthFile&) = delete;
  GrowthFile& operator=(const GrowthFile&) = delete;

  ~GrowthFile() {
    std::error_code error;
    std::filesystem::remove(path_, error);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_ = std::filesystem::temp_directory_path() /
                                ("bloometry_d_left_growth_" + std::to_string(::getpid()));
};

}  // namespace

TEST_CASE("d_left growth: single, batch and keyed inserts give equal filters",
          "[variants][d_left]") {
  for (const unsigned num_subtables : {2U, 4U, 5U}) {
    FilterSpec spec = growing_spec(100, 9'000);
    spec.num_hashes = num_subtables;
    std::vector<std::uint64_t> keys;
    for (std::uint64_t i = 0; i < 9'000; ++i) {
      keys.push_back(i);
      if (i % 7 == 0) keys.push_back(i / 2);  // repeated keys do not occupy cells
    }
    const Xxh3Hasher hasher(0);
    std::vector<Digest> digests;
    for (const std::uint64_t key : keys) digests.push_back(hasher(IntegerKey(key).view()));
    CAPTURE(num_subtables);

    DLeftFilter single(spec);
    std::uint64_t num_new = 0;
    for (const Digest& digest : digests) num_new += single.insert(digest) ? 1 : 0;
    CHECK(single.num_blocks() > 50 * DLeftFilter(spec).num_blocks());
    DLeftFilter tried(spec);
    for (const Digest& digest : digests) CHECK(tried.try_insert(digest) != Insertion::kFull);
    CHECK(tried == single);
    DLeftFilter batch(spec);
    CHECK(insert_all(batch, std::span<const Digest>(digests)) == num_new);
    CHECK(batch == single);
    Keyed<DLeftFilter> keyed(spec);
    CHECK(keyed.insert(keys) == num_new);
    CHECK(keyed.filter() == single);
    Keyed<DLeftFilter> keyed_singly(spec);
    for (const std::uint64_t key : keys) CHECK(keyed_singly.try_insert(key) != Insertion::kFull);
    CHECK(keyed_singly.filter() == single);
    AnyFilter any{DLeftFilter(spec)};
    CHECK(any.try_insert(digests) == InsertCount{digests.size(), num_new, false});
    CHECK(any == AnyFilter(single));
    CHECK(count_positives(single, std::span<const Digest>(digests)) == digests.size());
  }
}

TEST_CASE("d_left growth: a filter from a file continues as if it had not been saved",
          "[variants][d_left]") {
  const GrowthFile file;
  const auto keys = test::member_digests(5'000);
  DLeftFilter unsaved(growing_spec(200, 5'000));
  DLeftFilter saved = unsaved;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    unsaved.insert(keys[i]);
    saved.insert(keys[i]);
    if (i % 97 != 0) continue;
    save(saved, file.path());
    saved = load<DLeftFilter>(file.path());
    REQUIRE(saved == unsaved);
    REQUIRE(saved.params() == unsaved.params());
  }
  CHECK(saved == unsaved);
  CHECK(capacity_of(saved) >= 5'000);
}

TEST_CASE("d_left growth: the table doubles exactly when a new key would exceed its capacity",
          "[variants][d_left]") {
  const GrowthFile file;
  constexpr std::uint64_t kMaxCapacity = 1'500;
  DLeftFilter filter(growing_spec(40, kMaxCapacity, 0.2));
  std::uint64_t capacity = capacity_of(filter);
  std::vector<Digest> members;
  std::mt19937_64 random(test::test_seed());
  int num_doublings = 0;
  for (int step = 0; step < 20'000; ++step) {
    // The number of members rises and falls, and rises further each time.
    const bool is_insert = random() % 100 < ((step / 1'000) % 4 == 3 ? 20U : 70U);
    if (is_insert || members.empty()) {
      members.push_back({random(), random()});
      const bool is_new = !filter.contains(members.back());
      if (is_new && filter.state().num_ones == capacity && capacity < kMaxCapacity) {
        capacity *= 2;
        ++num_doublings;
      }
      if (filter.try_insert(members.back()) == Insertion::kFull) members.pop_back();
    } else {
      std::swap(members[random() % members.size()], members.back());
      REQUIRE(filter.erase(members.back()));
      members.pop_back();
    }
    if (step == 500) filter.grow(), capacity *= 2;
    if (step == 300) filter.clear(), members.clear();
    if (step % 1'111 == 0) filter = DLeftFilter(filter);
    if (step % 1'777 == 0) {
      save(filter, file.path());
      filter = load<DLeftFilter>(file.path());
    }
    CAPTURE(step);
    REQUIRE(capacity_of(filter) == capacity);
  }
  CHECK(num_doublings >= 4);
  CHECK(capacity >= kMaxCapacity);
  CHECK(capacity < 2 * kMaxCapacity);
  CHECK(count_positives(filter, std::span<const Digest>(members)) == members.size());
}

TEST_CASE("d_left growth: after its last doubling, the filter refuses keys and stays as it was",
          "[variants][d_left]") {
  DLeftFilter filter(growing_spec(10, 300, 0.001));
  std::vector<Digest> keys;
  for (std::uint64_t item = 0;; item += 2) {
    keys.push_back(test::digest_of_item(item, 0));
    if (filter.try_insert(keys.back()) == Insertion::kFull) break;
  }
  CHECK(keys.size() > 384);  // ten keys need one bucket per subtable, for 24 keys
  CHECK(filter.geometry().num_cells == 512);
  const DLeftFilter full = filter;
  CHECK(filter.try_insert(keys.back()) == Insertion::kFull);
  CHECK_THROWS_AS(filter.insert(keys.back()), FullError);
  CHECK(filter == full);
  filter.grow();  // on request, the filter doubles further
  CHECK(filter.try_insert(keys.back()) == Insertion::kNew);
  CHECK(filter.geometry().num_cells == 1'024);
  CHECK(count_positives(filter, std::span<const Digest>(keys)) == keys.size());
}

TEST_CASE("d_left growth: a filter in borrowed memory does not grow", "[variants][d_left]") {
  using Borrowed = DLeftFilter::WithMemory<BorrowedMemory>;
  const FilterSpec spec = growing_spec(100, 2'000);
  AlignedWords words(Borrowed::num_words_for(Borrowed::geometry(spec)));
  Borrowed borrowed(spec, BorrowedMemory{{words.data(), words.size()}});
  const auto keys = test::member_digests(300);
  const InsertCount count = try_insert_all(borrowed, keys);
  REQUIRE(count.is_full);
  CHECK(count.num_inserted > 100);
  CHECK(borrowed.num_bits() == Borrowed::geometry(spec).num_bits());
  // A filter that owns its memory and is loaded from the file doubles at its next new key.
  const GrowthFile file;
  save(borrowed, file.path());
  DLeftFilter owned = load<DLeftFilter>(file.path());
  CHECK(owned.num_bits() == borrowed.num_bits());
  CHECK_FALSE(owned.insert(keys.front()));
  CHECK(owned.num_bits() == borrowed.num_bits());
  CHECK_FALSE(try_insert_all(owned, std::span(keys).subspan(count.num_inserted)).is_full);
  CHECK(owned.geometry().num_cells == 4 * borrowed.geometry().num_cells);
  CHECK(count_positives(owned, std::span(keys)) == keys.size());
  // A mapped filter has the same answers and is read-only.
  save(owned, file.path());
  CHECK(count_positives(map<DLeftFilter>(file.path()), std::span(keys)) == keys.size());
}

TEST_CASE("d_left growth: a full table from a file doubles until it has room",
          "[variants][d_left]") {
  using Borrowed = DLeftFilter::WithMemory<BorrowedMemory>;
  FilterSpec spec = growing_spec(8, 100);
  spec.num_hashes = 2;
  AlignedWords words(Borrowed::num_words_for(Borrowed::geometry(spec)));
  Borrowed borrowed(spec, BorrowedMemory{{words.data(), words.size()}});
  const auto keys = test::member_digests(17);  // one more than the cells
  REQUIRE(try_insert_all(borrowed, keys).num_inserted == 16);
  const GrowthFile file;
  save(borrowed, file.path());
  DLeftFilter owned = load<DLeftFilter>(file.path());
  CHECK(owned.insert(keys.back()));
  CHECK(owned.geometry().num_cells == 64);  // sized for 32 keys
}

TEST_CASE("d_left growth: an insert without memory to double throws and changes nothing",
          "[variants][d_left]") {
  // A child process fills the filter to its capacity, and then may map only 1 MiB more than it has
  // already mapped. The exit code of the child process is the result of the check.
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    DLeftFilter filter(growing_spec(1'000'000, 2'000'000, 1e-3));
    std::uint64_t item = 0;
    while (filter.state().num_ones < capacity_of(filter)) {
      const std::uint64_t num_left = capacity_of(filter) - filter.state().num_ones;
      for (std::uint64_t i = 0; i < num_left; ++i) filter.insert(test::digest_of_item(item++, 0));
    }
    const DLeftFilter before = filter;
    const auto more = test::digests(item, 1, 500, 0);
    std::ifstream status("/proc/self/statm");
    std::uint64_t num_pages = 0;
    status >> num_pages;
    const rlim_t limit = num_pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + (1U << 20U);
    const rlimit limits{limit, RLIM_INFINITY};
    ::setrlimit(RLIMIT_AS, &limits);
    int code = 1;
    try {
      insert_all(filter, std::span<const Digest>(more));
    } catch (const MemoryError&) {
      code = filter == before && filter.params() == before.params() ? 2 : 3;
    }
    const rlimit unlimited{RLIM_INFINITY, RLIM_INFINITY};
    ::setrlimit(RLIMIT_AS, &unlimited);
    if (code == 2) {
      insert_all(filter, std::span<const Digest>(more));
      const bool has_doubled = filter.num_blocks() == 2 * before.num_blocks();
      const bool has_all = count_positives(filter, std::span<const Digest>(more)) == more.size();
      code = has_doubled && has_all ? 42 : 4;
    }
    ::_exit(code);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 42);
}

TEST_CASE("d_left growth: filters with and without max_capacity have equal cells until one doubles",
          "[variants][d_left]") {
  DLeftFilter growing(growing_spec(1'000, 8'000));
  DLeftFilter limited = limited_like(growing);
  const auto keys = test::member_digests(1'000);
  CHECK(insert_all(growing, std::span(keys)) == insert_all(limited, std::span(keys)));
  CHECK(std::ranges::equal(growing.buckets().all_words(), limited.buckets().all_words()));
  CHECK(growing.erase(keys[5]) == limited.erase(keys[5]));
  CHECK(std::ranges::equal(growing.buckets().all_words(), limited.buckets().all_words()));
  CHECK_FALSE(growing == limited);  // the parameters differ
}

}  // namespace bloometry
