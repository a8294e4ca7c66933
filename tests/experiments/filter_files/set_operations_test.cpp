// Tests merge and intersect of filters in files: the bits, the counts of keys, and the mark of an
// intersection.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "experiments/filter_files/bloometry_filter.hpp"
#include "experiments/filter_files/foreign_filters.hpp"
#include "experiments/filter_files/open_filter.hpp"
#include "tests/experiments/filter_files/copied_cells.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temp_folder.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

using File = std::unique_ptr<FileFilter>;

bool is_bitmap(std::string_view format) {
  return format == "jedis" || format == "pyrebloom" || format == "php3" || format == "go_seeded";
}

/// A filter of a format for 2000 keys, or a bitmap.
File foreign_filter(std::string_view format, std::uint64_t scale = 1) {
  if (!is_bitmap(format)) {
    return make_foreign_filter(format, {.num_keys = 2000 * scale, .rate = 0.01});
  }
  SizeRequest sizes{.num_bits = 16'384 * scale};
  if (format != "php3") sizes.num_hashes = 7;
  return make_foreign_filter(format, sizes);
}

void insert_items(FileFilter& filter, std::uint64_t first, std::uint64_t count) {
  std::vector<std::string> texts;
  for (std::uint64_t i = first; i < first + count; ++i) texts.push_back("key " + std::to_string(i));
  filter.insert(std::vector<KeyView>(texts.begin(), texts.end()));
}

bool contains_all(const FileFilter& filter, std::uint64_t first, std::uint64_t count) {
  std::vector<std::string> texts;
  for (std::uint64_t i = first; i < first + count; ++i) texts.push_back("key " + std::to_string(i));
  const auto answers = std::make_unique<bool[]>(count);
  filter.contains(std::vector<KeyView>(texts.begin(), texts.end()), {answers.get(), count});
  return std::count(answers.get(), answers.get() + count, true) ==
         static_cast<std::ptrdiff_t>(count);
}

/// The numbers of keys of two filters: [first, first + count) with `common` keys in both.
struct Overlap {
  std::uint64_t num_a = 0;
  std::uint64_t num_b = 0;
  std::uint64_t num_common = 0;
};

/// Writes the filter and reads it back, because the reader rejects impossible counts.
void require_readable_file(const FileFilter& filter, std::string_view format) {
  const test::TempFolder folder;
  const auto path = folder / "file";
  filter.write(path);
  const FilterFacts facts = filter.description();
  SizeRequest sizes;
  if (is_bitmap(format)) sizes = {.num_bits = facts.num_cells, .num_hashes = facts.num_hashes};
  const File again = open_filter(path, {.format = std::string(format), .sizes = sizes});
  CHECK(test::cells_of(*again) == test::cells_of(filter));
  CHECK(again->notes() == filter.notes());
  CHECK(again->description().remark == facts.remark);
  CHECK(contradiction_in(again->description()).empty());
}

void check_merge(std::string_view format, const Overlap& sizes) {
  const File a = foreign_filter(format);
  const File b = foreign_filter(format);
  const File all = foreign_filter(format);
  insert_items(*a, 0, sizes.num_a);
  insert_items(*b, sizes.num_a - sizes.num_common, sizes.num_b);
  insert_items(*all, 0, sizes.num_a + sizes.num_b - sizes.num_common);
  const FileNotes notes_a = a->notes();
  const FileNotes notes_b = b->notes();
  a->merge(*b);
  CHECK(test::cells_of(*a) == test::cells_of(*all));
  require_readable_file(*a, format);
  if (!notes_a.num_inserted) return;
  const std::uint64_t merged = a->notes().num_inserted.value();
  CHECK(merged >= std::max(*notes_a.num_inserted, *notes_b.num_inserted));
  CHECK(merged <= *notes_a.num_inserted + *notes_b.num_inserted);
}

void check_intersect(std::string_view format, const Overlap& sizes) {
  const File a = foreign_filter(format);
  const File b = foreign_filter(format);
  insert_items(*a, 0, sizes.num_a);
  insert_items(*b, sizes.num_a - sizes.num_common, sizes.num_b);
  const FileNotes notes_a = a->notes();
  const FileNotes notes_b = b->notes();
  const auto before = test::cells_of(*a);
  a->intersect(*b);
  CHECK(contains_all(*a, sizes.num_a - sizes.num_common, sizes.num_common));
  const auto after = test::cells_of(*a);
  const auto theirs = test::cells_of(*b);
  for (std::size_t w = 0; w < after.front().size(); ++w) {
    REQUIRE(after.front()[w] == (before.front()[w] & theirs.front()[w]));
  }
  require_readable_file(*a, format);
  if (!notes_a.num_inserted) return;
  CHECK(a->notes().num_inserted.value() <= std::min(*notes_a.num_inserted, *notes_b.num_inserted));
}

}  // namespace

TEST_CASE("filters of other programs: a merged filter has the bits of one built from all keys",
          "[filters]") {
  for (const std::string_view format : foreign_file_formats()) {
    // Empty, disjoint, equal and overlapping sets, and a full filter. 2000 keys fill one link of
    // RedisBloom.
    for (const Overlap& sizes :
         {Overlap{0, 0, 0}, Overlap{900, 0, 0}, Overlap{0, 900, 0}, Overlap{900, 900, 0},
          Overlap{900, 900, 900}, Overlap{1, 1, 0}, Overlap{1500, 700, 300}}) {
      CAPTURE(format, sizes.num_a, sizes.num_b, sizes.num_common);
      check_merge(format, sizes);
      check_intersect(format, sizes);
    }
  }
}

namespace {

/// Returns e^L - 1 - L for n keys with k probes each in m bits.
double excess(double n, double m, double k) {
  const double load = n * k / m;
  return std::expm1(load) - load;
}

/// Returns the standard deviation of the estimate of the number of common keys (theory 2).
double stddev_of_common(const Overlap& sizes, const FilterFacts& facts) {
  const auto m = static_cast<double>(facts.num_cells);
  const double k = facts.num_hashes;
  const auto of = [&](std::uint64_t n) { return excess(static_cast<double>(n), m, k); };
  return std::sqrt(m * (of(sizes.num_a + sizes.num_b - sizes.num_common) +
                        2 * of(sizes.num_common) - of(sizes.num_a) - of(sizes.num_b))) /
         k;
}

}  // namespace

TEST_CASE("filters of other programs: the count of an intersection estimates the common keys",
          "[filters]") {
  // The count is within 4.9 standard deviations of the true number with probability 1 - 1e-6, and
  // the bias and the rounding are below 1. 2000 keys have half a filter's bits set.
  for (const std::string_view format : {"dcso", "redisbloom"}) {
    for (const Overlap& sizes :
         {Overlap{2000, 2000, 0}, Overlap{2000, 2000, 100}, Overlap{2000, 2000, 800},
          Overlap{2000, 1000, 1000}, Overlap{2000, 2000, 2000}, Overlap{500, 500, 200},
          Overlap{2000, 20, 10}, Overlap{1, 1, 1}, Overlap{1, 1, 0}}) {
      CAPTURE(format, sizes.num_a, sizes.num_b, sizes.num_common);
      double sum = 0;
      constexpr int kNumPairs = 10;
      double stddev = 0;
      for (std::uint64_t pair = 0; pair < kNumPairs; ++pair) {
        const std::uint64_t first = 100'000 * (pair + 1);
        const File a = foreign_filter(format);
        const File b = foreign_filter(format);
        insert_items(*a, first, sizes.num_a);
        insert_items(*b, first + sizes.num_a - sizes.num_common, sizes.num_b);
        a->intersect(*b);
        const auto found = static_cast<double>(a->notes().num_inserted.value());
        const auto common = static_cast<double>(sizes.num_common);
        stddev = stddev_of_common(sizes, a->description());
        CAPTURE(pair, found, stddev);
        // A filter counts only its new keys, and the result is at most the smaller count.
        const double num_uncounted = 0.01 * common;
        CHECK(found - common < 4.9 * stddev + 1);
        CHECK(common - found < 4.9 * stddev + 1 + num_uncounted);
        sum += found;
      }
      // The mean of ten pairs is nearer. The clip at 0 raises the mean of disjoint sets.
      const double mean = sum / kNumPairs;
      const auto common = static_cast<double>(sizes.num_common);
      if (common > 4.9 * stddev) {
        CHECK(std::abs(mean - common) < 4.9 * stddev / std::sqrt(10.0) + 1 + 0.01 * common);
      }
    }
  }
}

TEST_CASE("filters of other programs: small combined filters have possible counts", "[filters]") {
  // A rounded estimate may be below the number of keys that can set as many bits.
  for (const std::string_view format : {"dcso", "redisbloom"}) {
    for (std::uint64_t first = 0; first < 20'000; first += 40) {
      CAPTURE(format, first);
      const auto filters_of_20_keys = [&] {
        std::pair<File, File> filters{foreign_filter(format), foreign_filter(format)};
        insert_items(*filters.first, first, 20);
        insert_items(*filters.second, first + 20, 20);
        return filters;
      };
      const auto merged = filters_of_20_keys();
      merged.first->merge(*merged.second);
      require_readable_file(*merged.first, format);
      const auto common = filters_of_20_keys();
      common.first->intersect(*common.second);
      require_readable_file(*common.first, format);
    }
  }
}

TEST_CASE("filters of other programs: a merged count stays possible if all bits are set",
          "[filters]") {
  const SizeRequest small{.num_keys = 4, .rate = 0.3};
  for (const std::string_view format : {"dcso", "redisbloom"}) {
    CAPTURE(format);
    const File a = make_foreign_filter(format, small);
    const File b = make_foreign_filter(format, small);
    const bool is_dcso = format == std::string_view("dcso");
    insert_items(*a, 0, is_dcso ? 900 : 4);
    insert_items(*b, 900, is_dcso ? 900 : 4);
    const std::uint64_t most = *a->notes().num_inserted + *b->notes().num_inserted;
    a->merge(*b);
    CHECK(*a->notes().num_inserted <= most);
    a->intersect(*b);
    CHECK(*a->notes().num_inserted <= *b->notes().num_inserted);
    require_readable_file(*a, format);
  }
}

TEST_CASE("filters of other programs: filters of other sizes are refused with both values",
          "[filters]") {
  for (const std::string_view format : foreign_file_formats()) {
    CAPTURE(format);
    const File a = foreign_filter(format);
    const File b = foreign_filter(format, 2);
    insert_items(*a, 0, 500);
    const auto before = test::cells_of(*a);
    const std::string error = test::message_of<ConfigError>([&] { a->merge(*b); });
    CHECK(error.find("must be equal in both filters, got ") != std::string::npos);
    CHECK(test::message_of<ConfigError>([&] { a->intersect(*b); }) == error);
    CHECK(test::cells_of(*a) == before);
  }
  const File grown = foreign_filter("redisbloom");
  insert_items(*grown, 0, 6000);
  CHECK(test::message_of<ConfigError>([&] { grown->merge(*foreign_filter("redisbloom")); }) ==
        "num_links must be 1 in both filters, got 2, because links of different sizes cannot be "
        "combined");
}

namespace {

File own_filter(std::string_view variant, std::uint64_t first) {
  const VariantInfo& info = find_variant(variant);
  const FilterSpec spec{.capacity = 2000, .target_false_positive_rate = 0.01};
  FileHeader header;
  header.notes = {.capacity = 2000, .target_false_positive_rate = 0.01, .num_inserted = 1000};
  File filter = std::make_unique<BloometryFilter>(info.schemes.front().make(spec),
                                                  FilterHash("xxh64", 0, std::nullopt), header);
  insert_items(*filter, first, 1000);
  return filter;
}

void check_unknown(const FilterFacts& facts) {
  CHECK(facts.notes.is_intersected);
  CHECK_FALSE(facts.notes.num_inserted);
  CHECK_FALSE(facts.estimated_num_keys);
  CHECK_FALSE(facts.num_keys);
  CHECK_FALSE(facts.expected);
  CHECK_FALSE(facts.num_keys_left());
  CHECK_FALSE(facts.why_no_estimate.empty());
  CHECK_FALSE(facts.why_no_expected_rate.empty());
  CHECK(facts.rate() < 1);
}

}  // namespace

TEST_CASE("an intersection, and what is made from it, gives no number of keys", "[filters]") {
  const test::TempFolder folder;
  for (const std::string_view variant : variants_that_can(Operation::kIntersect)) {
    CAPTURE(variant);
    const File common = own_filter(variant, 0);
    CHECK(common->facts().why_no_estimate.empty());
    CHECK(common->facts().num_keys_left().has_value());
    common->intersect(*own_filter(variant, 500));
    check_unknown(common->facts());
    common->write(folder / "common");
    const File again = open_filter(folder / "common", {});
    check_unknown(again->facts());
    insert_items(*again, 5000, 10);
    check_unknown(again->facts());
    const File other = own_filter(variant, 0);
    if (find_variant(variant).can(Operation::kMerge)) {
      other->merge(*again);
      check_unknown(other->facts());
    }
    if (find_variant(variant).can(Operation::kFold)) {
      const std::uint64_t size = again->foldable_size();
      std::uint64_t divisor = 2;
      while (size % divisor != 0) ++divisor;
      check_unknown(again->fold(divisor)->facts());
    }
  }
}

TEST_CASE("filters that were merged, but never intersected, keep their estimate", "[filters]") {
  const File a = own_filter("standard", 0);
  a->merge(*own_filter("standard", 500));
  CHECK_FALSE(a->notes().is_intersected);
  CHECK(*a->facts().estimated_num_keys == Approx(1500).epsilon(0.05));
}

}  // namespace bloometry
