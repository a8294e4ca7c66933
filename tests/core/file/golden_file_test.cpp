// Tests the stored files of version 1. Every later version must read these files and write the same
// bytes.

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/contract/window.hpp"
#include "core/file/stored_file.hpp"
#include "test_folders.hpp"
#include "tests/core/file/all_filters.hpp"
#include "tests/core/file/new_folder.hpp"
#include "tests/support/catch.hpp"
#include "variants/registry/registry.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

struct Kept {
  std::string name;
  NamedSpec named;
  bool is_intersected = false;
};

/// Returns one filter of each variant of version 0.1.0, of each kind of cells and stages, and one
/// with every note.
std::vector<Kept> first_kept_files() {
  return {
      {"standard", {"standard", "remix", {.num_bits = 1'003, .num_hashes = 7}}},
      {"standard_intersected", {"standard", "remix", {.num_bits = 1'003, .num_hashes = 7}}, true},
      {"standard_distinct", {"standard", "distinct", {.num_bits = 1'003, .num_hashes = 7}}},
      {"partitioned", {"partitioned", "remix", {.num_bits = 1'003, .num_hashes = 7}}},
      {"counting", {"counting", "remix", {.num_counters = 501, .num_hashes = 5}}},
      {"counting_3_bits",
       {"counting",
        "remix",
        {.num_counters = 501,
         .num_hashes = 5,
         .params = {{"counter_bits", 3.0}, {"saturation", "clamped"}}}}},
      {"variable_increment",
       {"variable_increment", "remix", {.num_counters = 301, .num_hashes = 3}}},
      {"blocked", {"blocked", "bit_fields", {.num_blocks = 3, .num_hashes = 6}}},
      {"blocked_256",
       {"blocked",
        "bit_fields",
        {.num_blocks = 5, .num_hashes = 6, .params = {{"block_bits", 256.0}}}}},
      {"split_block", {"split_block", "parquet_salts", {.num_blocks = 5}}},
      {"lanes", {"lanes", "lane_fields", {.num_blocks = 3}}},
      {"blocked_counting", {"blocked_counting", "bit_fields", {.num_blocks = 3, .num_hashes = 4}}},
      {"scalable", {"scalable", "remix", {.capacity = 40, .target_false_positive_rate = 0.05}}},
      {"scalable_blocked",
       {"scalable",
        "remix",
        {.capacity = 40, .target_false_positive_rate = 0.05, .params = {{"stages", "blocked"}}}}},
      {"scalable_lanes",
       {"scalable",
        "remix",
        {.capacity = 40, .target_false_positive_rate = 0.05, .params = {{"stages", "lanes"}}}}}};
}

/// Returns the spec of the kept file of a variant that is not among first_kept_files().
NamedSpec small_filter(const VariantInfo& variant) {
  FilterSpec spec{.num_hashes = std::clamp(5U, variant.min_num_hashes, variant.max_num_hashes)};
  if (variant.can(Operation::kGrow)) {
    spec = {.capacity = 40, .target_false_positive_rate = 0.05};
  } else if (variant.is_limited) {
    spec.num_bits = 3000;
    spec.capacity = 90;
  } else if (variant.sized_by_blocks) {
    spec.num_blocks = 3;
  } else {
    set_size(spec, variant.cell_axis(), 301);
  }
  // Some of the kept inserts have been forgotten.
  if (variant.can(Operation::kTick)) spec.params["generation_capacity"] = 8.0;
  return {std::string(variant.name), std::string(variant.schemes.front().name), spec};
}

/// Returns a rotating filter of one block per generation.
NamedSpec rotating_of(const char* generation, unsigned num_hashes) {
  return {"rotating",
          "remix",
          {.num_bits = 3 * 512,
           .num_hashes = num_hashes,
           .params = {{"generation", std::string(generation)},
                      {"generation_capacity", 20.0},
                      {"generations", 3.0}}}};
}

/// Returns the filters of later versions that store their cells in another way because of a
/// parameter.
std::vector<Kept> other_layouts() {
  return {{"cuckoo_semi_sorted",
           {"cuckoo",
            "digest_words",
            {.capacity = 90, .num_bits = 3000, .params = {{"semi_sorting", 1.0}}}}},
          {"rotating_blocked", rotating_of("blocked", 5)},
          {"rotating_lanes", rotating_of("lanes", 8)}};
}

/// Returns the number of the newest of num_keys inserted keys that the filter must contain.
std::uint64_t num_within_window(const AnyFilter& filter, std::uint64_t num_keys) {
  const std::optional<Window> window = filter.window();
  return window ? std::min(num_keys, window->num_inserts.value_or(num_keys)) : num_keys;
}

std::vector<Kept> kept_files() {
  std::vector<Kept> kept = first_kept_files();
  for (Kept& file : other_layouts()) kept.push_back(std::move(file));
  for (const VariantInfo& variant : all_variant_infos()) {
    const std::string name(variant.name);
    const auto is_of_variant = [&](const Kept& file) { return file.name == name; };
    if (std::ranges::none_of(kept, is_of_variant)) kept.push_back({name, small_filter(variant)});
  }
  return kept;
}

std::filesystem::path folder_of_kept() {
  return std::filesystem::path(kGoldenFolder) / "filters";
}

void write(const Kept& kept, const std::filesystem::path& path) {
  AnyFilter filter = make_filter(kept.named.variant, kept.named.probes, kept.named.spec);
  filter.insert(digests(0, 90));
  FilterImage image = filter.image();
  image.header.hash = "xxh3";
  image.header.seed = 42;
  image.header.notes =
      with_notes(image.header.notes,
                 {.capacity = 100, .num_inserted = 90, .is_intersected = kept.is_intersected});
  write_filter_file(path, image.header, image.stores);
}

}  // namespace

TEST_CASE("kept files: files of version 1 are read, and written with equal bytes", "[file]") {
  const NewFolder folder;
  for (const Kept& kept : kept_files()) {
    INFO(kept.name);
    const std::filesystem::path file = folder_of_kept() / (kept.name + ".bloom");
    const LoadedFilter loaded = load_any(file);
    CHECK(loaded.header.seed == 42U);
    CHECK(loaded.header.notes.num_inserted == 90U);
    CHECK(loaded.header.notes.is_intersected == kept.is_intersected);
    const std::uint64_t num_found = num_within_window(loaded.filter, 90);
    CHECK(loaded.filter.count_positives(digests(90 - num_found, num_found)) == num_found);
    write(kept, folder / "new");
    CHECK(bytes_of_file(folder / "new") == bytes_of_file(file));
  }
}

TEST_CASE("kept files: stages of more than 64 hashes, which version 0.1.0 wrote, are read",
          "[file]") {
  // Version 0.1.0 wrote these files, and gave the answers for the 256 keys from 1000 on. The newest
  // stages have 470 and 163 hashes.
  struct ManyHashes {
    const char* name;
    std::size_t num_stages;
    std::uint64_t most_hashes;
    double rate;
    double count;
    std::array<std::uint64_t, 4> answers;  // bit i mod 64 of element i / 64: the answer for key i
  };

  const ManyHashes kept = GENERATE(
      ManyHashes{"scalable_many_hashes",
                 48,
                 470,
                 0.25036656874016217,
                 48,
                 {0x0440959652b20100, 0x080020010cd22482, 0xa8a83b390430200c, 0x5c0082480a0b0600}},
      ManyHashes{"scalable_many_hashes_tight",
                 30,
                 163,
                 0.25297564639879372,
                 59.5123589735785,
                 {0x2133264150943741, 0x0100404302814420, 0x04094c2c02141202, 0xa0a0090b65212910}});
  INFO(kept.name);
  const std::filesystem::path file = folder_of_kept() / (std::string(kept.name) + ".bloom");
  LoadedFilter loaded = load_any(file);
  REQUIRE(loaded.header.stages.size() == kept.num_stages);
  CHECK(loaded.header.stages.back().num_hashes == kept.most_hashes);
  CHECK(loaded.filter.count_positives(digests(0, 60)) == 60);
  CHECK(loaded.filter.state().conditional_false_positive_rate == kept.rate);
  CHECK(loaded.filter.estimate_count() == Approx(kept.count).epsilon(1e-12));
  std::array<bool, 256> answers{};
  loaded.filter.contains(digests(1'000, 256), answers);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i] != (kept.answers[i / 64] >> i % 64 & 1U)) FAIL("key " << i);
  }
  // The file is written again unchanged, and the filter continues to grow.
  const NewFolder folder;
  const FilterImage image = loaded.filter.image();
  write_filter_file(folder / "again", loaded.header, image.stores);
  CHECK(bytes_of_file(folder / "again") == bytes_of_file(file));
  loaded.filter.insert(digests(5'000, 60));
  CHECK(loaded.filter.image().header.stages.size() > kept.num_stages);
  CHECK(loaded.filter.image().header.stages.back().num_hashes <= 64);
  CHECK(loaded.filter.count_positives(digests(5'000, 60)) == 60);
}

TEST_CASE("kept files: an initial_rate below 2^-128, which version 0.1.0 accepted, is read",
          "[file]") {
  const FilterSpec spec{
      .capacity = 10, .target_false_positive_rate = 0.01, .params = {{"initial_rate", 0x1p-128}}};
  AnyFilter filter = make_filter("scalable", "remix", spec);
  filter.insert(digests(0, 60));
  FilterImage image = filter.image();
  image.header.params["initial_rate"] = 1e-60;
  const NewFolder folder;
  write_filter_file(folder / "file", image.header, image.stores);
  LoadedFilter loaded = load_any(folder / "file");
  CHECK(loaded.filter.count_positives(digests(0, 60)) == 60);
  loaded.filter.insert(digests(60, 600));
  CHECK(loaded.filter.count_positives(digests(60, 600)) == 600);
}

// tests/regenerate.sh runs this case. A file that exists is not changed.
TEST_CASE("kept files: write the missing ones", "[.keep_files]") {
  std::filesystem::create_directories(folder_of_kept());
  for (const Kept& kept : kept_files()) {
    const std::filesystem::path path = folder_of_kept() / (kept.name + ".bloom");
    if (!std::filesystem::exists(path)) write(kept, path);
  }
}
