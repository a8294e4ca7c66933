// Tests that filters of every variant and scheme can be written to a file and read back unchanged.

#include <memory>
#include <string>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "core/file/stored_file.hpp"
#include "tests/core/file/all_filters.hpp"
#include "tests/core/file/new_folder.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/mapped_filters.hpp"
#include "variants/registry/registry.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

std::vector<bool> answers_of(const AnyFilter& filter) {
  const std::vector<Digest> keys = digests(0, 5'000);
  const auto answers = std::make_unique<bool[]>(keys.size());
  filter.contains(keys, {answers.get(), keys.size()});
  return std::vector<bool>(answers.get(), answers.get() + keys.size());
}

void write(const AnyFilter& filter, const std::filesystem::path& path, const FileNotes& notes) {
  FilterImage image = filter.image();
  image.header.notes = with_notes(image.header.notes, notes);
  write_filter_file(path, image.header, image.stores);
}

/// Maps the file as the filter's class, and compares it with the filter that was written.
void check_mapped(const AnyFilter& filter, const std::filesystem::path& path) {
  const MappedFilter mapped =
      map_any(filter.name(), filter.probes(), path, MappedFile::Checks::kHeader);
  const std::vector<Digest> keys = digests(0, 5'000);
  const MappedAnswers answers = mapped(keys);
  REQUIRE(answers.state == filter.state());
  REQUIRE(answers.estimate_count.has_value() == filter.can_estimate_count());
  if (answers.estimate_count) REQUIRE(*answers.estimate_count == filter.estimate_count());
  REQUIRE((answers.are_present == answers_of(filter)));
  REQUIRE(answers.num_positives == filter.count_positives(keys));
  REQUIRE(answers.params == filter.image().header.params);
}

}  // namespace

TEST_CASE("files: every variant and scheme is loaded with its state and answers", "[file]") {
  const NewFolder folder;
  for (const NamedSpec& named : all_specs()) {
    INFO(named.variant << ", " << named.probes);
    AnyFilter filter = filled(named);
    write(filter, folder / "filter", {.capacity = 800, .num_inserted = 700});
    LoadedFilter loaded = load_any(folder / "filter");
    REQUIRE(loaded.filter == filter);
    REQUIRE(loaded.filter.state() == filter.state());
    REQUIRE(answers_of(loaded.filter) == answers_of(filter));
    REQUIRE(loaded.header.variant == named.variant);
    REQUIRE(loaded.header.probes == named.probes);
    REQUIRE(loaded.header.notes.capacity == 800U);
    REQUIRE(loaded.header.notes.num_inserted == 700U);
    // After loading, the filter must open the same stages and saturate the same counters as the
    // original filter.
    // Limited filters become full.
    REQUIRE(loaded.filter.try_insert(digests(10'000, 900)) ==
            filter.try_insert(digests(10'000, 900)));
    REQUIRE(loaded.filter == filter);
    REQUIRE(loaded.filter.state() == filter.state());
  }
}

TEST_CASE("files: every variant and scheme is mapped with its state and answers", "[file]") {
  const NewFolder folder;
  for (const NamedSpec& named : all_specs()) {
    INFO(named.variant << ", " << named.probes);
    const AnyFilter filter = filled(named);
    write(filter, folder / "filter", {});
    check_mapped(filter, folder / "filter");
  }
}

TEST_CASE("files: equal filters and notes make equal bytes", "[file]") {
  const NewFolder folder;
  for (const NamedSpec& named : all_specs()) {
    INFO(named.variant << ", " << named.probes);
    write(filled(named), folder / "a", {.num_inserted = 7});
    write(filled(named), folder / "b", {.num_inserted = 7});
    write(load_any(folder / "a").filter, folder / "c", {.num_inserted = 7});
    const std::string bytes = bytes_of_file(folder / "a");
    REQUIRE(bytes.size() % 64 == 0);
    REQUIRE(bytes == bytes_of_file(folder / "b"));
    REQUIRE(bytes == bytes_of_file(folder / "c"));
    REQUIRE_NOTHROW(verify_checksums(folder / "a"));
  }
}

TEST_CASE("files: a scalable filter is not written with another target rate than its own",
          "[file]") {
  const NewFolder folder;
  const AnyFilter scalable =
      make_filter("scalable", "remix", {.capacity = 100, .target_false_positive_rate = 0.01});
  write(scalable, folder / "filter", {.target_false_positive_rate = 0.01});
  CHECK(load_any(folder / "filter").header.notes.target_false_positive_rate == 0.01);
  CHECK_THROWS_AS(write(scalable, folder / "filter", {.target_false_positive_rate = 0.02}),
                  ConfigError);
}
