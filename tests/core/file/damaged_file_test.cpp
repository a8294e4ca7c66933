// Reads files that were truncated, extended, changed or fabricated. Reading each file must throw an
// error that names the file, or return the filter that was written. Reading must need bounded time
// and memory.

#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/any_filter/filter_file.hpp"
#include "core/error.hpp"
#include "core/file/file_header.hpp"
#include "core/file/stored_file.hpp"
#include "core/text.hpp"
#include "tests/core/file/all_filters.hpp"
#include "tests/core/file/new_folder.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/mapped_filters.hpp"
#include "tests/support/message_of.hpp"
#include "variants/registry/registry.hpp"
#include "variants/standard/standard_filter.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

std::string complaint(const std::filesystem::path& path) {
  return message_of<ConfigError>([&] { static_cast<void>(load_any(path)); });
}

using Checks = MappedFile::Checks;

/// Maps the file as a variant with its default scheme, and calls every function that reads the
/// cells. Returns the error message, or "nothing thrown" if the file is accepted.
std::string complaint_of_map(const std::filesystem::path& path, std::string_view variant,
                             Checks checks = Checks::kAll) {
  const std::string_view probes = find_variant(variant).schemes.front().name;
  return message_of<ConfigError>([&] {
    const MappedFilter mapped = map_any(variant, probes, path, checks);
    static_cast<void>(mapped(digests(0, 100)));
  });
}

const std::string kNone = "nothing thrown";

const std::vector<NamedSpec>& kinds() {
  static const std::vector<NamedSpec> kKinds = {
      {"standard", "remix", {.num_bits = 500, .num_hashes = 3}},
      {"counting", "remix", {.num_counters = 100, .num_hashes = 3}},
      {"blocked", "bit_fields", {.num_blocks = 2, .num_hashes = 4}},
      {"scalable", "remix", {.capacity = 20, .target_false_positive_rate = 0.1}},
      {"scalable",
       "remix",
       {.capacity = 20, .target_false_positive_rate = 0.1, .params = {{"stages", "blocked"}}}},
      {"scalable",
       "remix",
       {.capacity = 20, .target_false_positive_rate = 0.1, .params = {{"stages", "lanes"}}}},
      {"rotating",
       "remix",
       {.num_bits = 900,
        .num_hashes = 3,
        .params = {{"generation_capacity", 15.0}, {"generations", 3.0}}}},
      {"age_partitioned",
       "remix",
       {.num_bits = 900,
        .num_hashes = 3,
        .params = {{"generation_capacity", 15.0}, {"generations", 2.0}}}}};
  return kKinds;
}

std::string file_of(const NamedSpec& named, const std::filesystem::path& path) {
  AnyFilter filter = make_filter(named.variant, named.probes, named.spec);
  filter.insert(digests(0, 50));
  const FilterImage image = filter.image();
  write_filter_file(path, image.header, image.stores);
  return bytes_of_file(path);
}

/// Writes a header with correct checksums, followed by a payload of zeros.
void write_made_up(const std::filesystem::path& path, const FileHeader& header,
                   std::uint64_t num_words) {
  const std::vector<std::uint64_t> words(num_words);
  const std::vector<std::span<const std::uint64_t>> stores = {words};
  write_filter_file(path, header, stores);
}

FileHeader standard_header() {
  return {.variant = "standard",
          .probes = "remix",
          .geometry = {.num_cells = 1'000, .cell_bits = 1, .num_hashes = 3}};
}

/// Returns the error for a file of a standard filter whose header was changed.
std::string complaint_of_standard(const NewFolder& folder, auto change) {
  FileHeader header = standard_header();
  change(header);
  write_made_up(folder / "file", header, 16);
  return complaint(folder / "file");
}

}  // namespace

TEST_CASE("damaged files: files cut at any length and files that are too long are refused",
          "[file]") {
  const NewFolder folder;
  for (const NamedSpec& named : kinds()) {
    INFO(named.variant);
    const std::string bytes = file_of(named, folder / "whole");
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      write_bytes(folder / "cut", bytes.substr(0, size));
      const std::string expected = "cut cannot be read as a filter file: ";
      REQUIRE(contains_text(complaint(folder / "cut"), expected));
      REQUIRE(contains_text(complaint_of_map(folder / "cut", named.variant, Checks::kHeader),
                            expected));
    }
    for (const std::size_t more : {1U, 8U, 64U, 4'096U}) {
      write_bytes(folder / "long", bytes + std::string(more, '\0'));
      REQUIRE(contains_text(complaint(folder / "long"), "it must have "));
      REQUIRE(contains_text(complaint_of_map(folder / "long", named.variant, Checks::kHeader),
                            "it must have "));
    }
    REQUIRE(complaint(folder / "whole") == kNone);
    REQUIRE(complaint_of_map(folder / "whole", named.variant) == kNone);
  }
}

TEST_CASE("damaged files: every flipped bit is detected, by load and map with one message",
          "[file]") {
  const NewFolder folder;
  for (const NamedSpec& named : kinds()) {
    INFO(named.variant);
    const std::string bytes = file_of(named, folder / "whole");
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      std::string flipped = bytes;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
      write_bytes(folder / "flipped", flipped);
      INFO(bit);
      const std::string said = complaint(folder / "flipped");
      REQUIRE(said != kNone);
      REQUIRE(complaint_of_map(folder / "flipped", named.variant) == said);
    }
  }
}

TEST_CASE("damaged files: load and map have one message for damaged cells with a right checksum",
          "[file]") {
  const NewFolder folder;
  std::size_t num_refused = 0;
  for (const NamedSpec& named : kinds()) {
    INFO(named.variant);
    const std::string bytes = file_of(named, folder / "whole");
    const FileHeader header = read_header(folder / "whole");
    const std::uint64_t header_bytes = StoredFile(folder / "whole").preamble().header_bytes;
    std::vector<std::uint64_t> words((bytes.size() - header_bytes) / 8);
    std::memcpy(words.data(), bytes.data() + header_bytes, 8 * words.size());
    for (std::size_t bit = 0; bit < 64 * words.size(); ++bit) {
      words[bit / 64] ^= std::uint64_t{1} << bit % 64;
      write_filter_file(folder / "flipped", header,
                        std::vector<std::span<const std::uint64_t>>{words});
      words[bit / 64] ^= std::uint64_t{1} << bit % 64;
      INFO(bit);
      const std::string said = complaint(folder / "flipped");
      REQUIRE(complaint_of_map(folder / "flipped", named.variant) == said);
      REQUIRE(complaint_of_map(folder / "flipped", named.variant, Checks::kHeader) == said);
      num_refused += static_cast<std::size_t>(said != kNone);
    }
  }
  CHECK(num_refused > 0);
}

TEST_CASE("damaged files: a flipped bit is refused, or the mapped filter answers queries",
          "[file]") {
  const NewFolder folder;
  for (const NamedSpec& named : kinds()) {
    INFO(named.variant);
    const std::string bytes = file_of(named, folder / "whole");
    const std::uint64_t header_bytes = StoredFile(folder / "whole").preamble().header_bytes;
    std::size_t num_mapped = 0;
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      std::string flipped = bytes;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
      write_bytes(folder / "flipped", flipped);
      INFO(bit);
      const bool is_mapped =
          complaint_of_map(folder / "flipped", named.variant, Checks::kHeader) == kNone;
      // The header has its own checksum.
      REQUIRE_FALSE((is_mapped && bit < 8 * header_bytes));
      num_mapped += static_cast<std::size_t>(is_mapped);
    }
    CHECK(num_mapped > 0);
  }
}

TEST_CASE("damaged files: unknown names of variants, schemes and parameters are refused by name",
          "[file]") {
  const NewFolder folder;
  const auto made_up = [&](auto change) { return complaint_of_standard(folder, change); };
  CHECK(made_up([](FileHeader&) {}) == kNone);
  CHECK(contains_text(made_up([](FileHeader& h) { h.variant = "morton"; }),
                      "variant must be one of standard, "));
  CHECK(contains_text(made_up([](FileHeader& h) { h.variant = "morton"; }), "got 'morton'"));
  CHECK(contains_text(made_up([](FileHeader& h) { h.probes = "sixfold"; }), "sixfold"));
  CHECK(contains_text(made_up([](FileHeader& h) { h.params = {{"spice", 1.0}}; }), "spice"));
}

TEST_CASE("damaged files: an error is short and without control characters of the file", "[file]") {
  const NewFolder folder;
  const auto made_up = [&](auto change) { return complaint_of_standard(folder, change); };
  const std::string clear_screen = "\x1b[2J";
  CHECK(contains_text(made_up([&](FileHeader& h) { h.variant = clear_screen; }), "got '?[2J'"));
  CHECK(contains_text(made_up([&](FileHeader& h) { h.probes = clear_screen; }), "?[2J"));
  CHECK(contains_text(made_up([&](FileHeader& h) { h.params = {{clear_screen, 1.0}}; }), "?[2J"));
  const std::string complaint_of_list = made_up([](FileHeader& h) {
    h.variant = "counting";
    h.params = {{"counter_bits", std::vector<std::int64_t>(100'000, 7)}};
  });
  CHECK(contains_text(complaint_of_list, "got a list of 100000 numbers"));
  CHECK(complaint_of_list.size() < 1'000);
  const std::string complaint_of_text = made_up([](FileHeader& h) {
    h.variant = "counting";
    h.params = {{"saturation", std::string(100'000, 'x')}};
  });
  CHECK(contains_text(complaint_of_text, "xxx..."));
  CHECK(complaint_of_text.size() < 1'000);
}

TEST_CASE("damaged files: a geometry that the variant does not allow is refused", "[file]") {
  const NewFolder folder;
  const auto made_up = [&](auto change) { return complaint_of_standard(folder, change); };
  constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t cells :
       {std::uint64_t{0}, std::uint64_t{1'025}, std::uint64_t{1} << 40U, kHuge, kHuge / 64 + 1}) {
    INFO(cells);
    CHECK(made_up([&](FileHeader& h) { h.geometry.num_cells = cells; }) != kNone);
  }
  for (const unsigned hashes : {0U, 65U, 0x80000000U}) {
    INFO(hashes);
    CHECK(made_up([&](FileHeader& h) { h.geometry.num_hashes = hashes; }) != kNone);
  }
  for (const unsigned bits : {0U, 2U, 64U, 0xffffffffU}) {
    INFO(bits);
    CHECK(made_up([&](FileHeader& h) { h.geometry.cell_bits = bits; }) != kNone);
  }
  const auto reason = [&](auto change) {
    const std::string said = made_up(change);
    const std::size_t end = said.find("file: ");
    return end == std::string::npos ? said : said.substr(end + 6);
  };
  CHECK(reason([](FileHeader& h) { h.geometry.num_cells = 1'025; }) ==
        "its 1025 cells must have 192 bytes, got 128");
  CHECK(reason([](FileHeader& h) { h.geometry.num_cells = std::uint64_t{1} << 40U; }) ==
        "num_cells must be at most 8 times its 128 bytes of cells, got 1099511627776");
  CHECK(reason([](FileHeader& h) { h.geometry.cell_bits = 2; }) ==
        "cell_bits must be 1 for standard, got 2");
  CHECK(reason([](FileHeader& h) { h.geometry.cell_bits = 65; }) ==
        "cell_bits must be at most 64, got 65");
  CHECK(made_up([](FileHeader& h) { h.geometry.block_cells = 512; }) != kNone);
  CHECK(made_up([](FileHeader& h) { h.geometry.max_fill = 1.5; }) != kNone);
  CHECK(made_up([](FileHeader& h) {
          h.geometry.max_fill = std::numeric_limits<double>::quiet_NaN();
        }) != kNone);
}

TEST_CASE("damaged files: more distinct probes than cells are refused with the file name",
          "[file]") {
  const NewFolder folder;
  FileHeader header = standard_header();
  header.probes = "distinct";
  header.geometry.num_cells = 4;
  header.geometry.num_hashes = 5;
  write_made_up(folder / "file", header, 8);
  const std::string refusal =
      "file cannot be read as a filter file: num_hashes must be at most 4, the number "
      "of cells, with distinct probes, got 5";
  CHECK(contains_text(complaint(folder / "file"), refusal));
  CHECK(contains_text(message_of<ConfigError>([&] {
                        static_cast<void>(
                            map<BasicStandardFilter<DistinctProbes>>(folder / "file"));
                      }),
                      refusal));
}

TEST_CASE("damaged files: cells behind the last one are refused", "[file]") {
  const NewFolder folder;
  std::vector<std::uint64_t> words(16);
  const std::vector<std::span<const std::uint64_t>> stores = {words};
  words[15] = std::uint64_t{1} << 39U;  // the last of 1,000 bits
  write_filter_file(folder / "file", standard_header(), stores);
  CHECK(complaint(folder / "file") == kNone);
  words[15] = std::uint64_t{1} << 40U;
  write_filter_file(folder / "file", standard_header(), stores);
  CHECK(
      contains_text(complaint(folder / "file"), "it is damaged: a bit after its last cell is set"));
  CHECK(contains_text(complaint_of_map(folder / "file", "standard", Checks::kHeader),
                      "it is damaged: a bit after its last cell is set"));
}

TEST_CASE("damaged files: padding that is not 0 is refused", "[file]") {
  const NewFolder folder;
  FileHeader header = standard_header();
  header.geometry.num_cells = 1'100;
  std::vector<std::uint64_t> words(24);  // 18 words belong to the array
  const std::vector<std::span<const std::uint64_t>> stores = {words};
  write_filter_file(folder / "file", header, stores);
  CHECK(complaint(folder / "file") == kNone);
  CHECK(complaint_of_map(folder / "file", "standard") == kNone);
  words[20] = 1;
  write_filter_file(folder / "file", header, stores);
  const std::string said = complaint(folder / "file");
  CHECK(contains_text(said, "it is damaged: a bit after its last cell is set"));
  CHECK(complaint_of_map(folder / "file", "standard") == said);
}

TEST_CASE("damaged files: impossible stages are refused before memory is allocated", "[file]") {
  const NewFolder folder;
  const FileHeader whole = [&] {
    AnyFilter filter =
        make_filter("scalable", "remix", {.capacity = 20, .target_false_positive_rate = 0.1});
    filter.insert(digests(0, 50));
    const FilterImage image = filter.image();
    write_filter_file(folder / "whole", image.header, image.stores);
    return image.header;
  }();
  const std::uint64_t payload = StoredFile(folder / "whole").preamble().payload_bytes;
  const auto made_up = [&](auto change) {
    FileHeader header = whole;
    change(header);
    write_made_up(folder / "file", header, payload / 8);
    const std::string said = complaint(folder / "file");
    CHECK(complaint_of_map(folder / "file", "scalable", Checks::kHeader) == said);
    return said;
  };
  CHECK(made_up([](FileHeader&) {}) == kNone);
  constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();
  CHECK(made_up([](FileHeader& h) { h.stages[0].num_hashes = 0; }) != kNone);
  CHECK(made_up([](FileHeader& h) { h.stages[0].num_hashes = kHuge; }) != kNone);
  CHECK(made_up([](FileHeader& h) { h.stages[0].num_cells = 0; }) != kNone);
  CHECK(made_up([](FileHeader& h) { h.stages[0].num_cells = kHuge; }) != kNone);
  CHECK(made_up([](FileHeader& h) { h.stages[0].capacity = 0; }) != kNone);
  for (const double rate : {-1.0, 0.0, 1.0, 2.0, std::numeric_limits<double>::quiet_NaN()}) {
    INFO(rate);
    CHECK(made_up([&](FileHeader& h) { h.stages[1].error_rate = rate; }) ==
          (folder / "file").string() +
              " cannot be read as a filter file: stage 1: error_rate must be in (0, 1), got " +
              shortest_text(rate));
  }
  const auto reason = [&](auto change) {
    const std::string said = made_up(change);
    return said.substr(said.find("stage"));
  };
  CHECK(reason([](FileHeader& h) { h.stages[0].num_hashes = 1077; }) ==
        "stage 0: num_hashes must be in [1, 1076], got 1077");
  CHECK(contains_text(made_up([](FileHeader& h) { h.stages[0].num_hashes = 1076; }),
                      "stage 0: num_cells must be a positive multiple of 1076, got "));
  CHECK(reason([](FileHeader& h) { h.stages[0].capacity = 0; }) ==
        "stage 0: capacity must be at least 1, got 0");
  CHECK(contains_text(made_up([](FileHeader& h) { ++h.stages[0].num_cells; }),
                      "stage 0: num_cells must be a positive multiple of "));
  CHECK(contains_text(made_up([](FileHeader& h) { h.stages.push_back(h.stages[0]); }),
                      "stage 2: its cells must have at most 0 bytes, got "));
  CHECK(contains_text(made_up([](FileHeader& h) { h.stages.pop_back(); }),
                      "it must end after its last stage, got "));
  CHECK(made_up([](FileHeader& h) { h.params["growth_factor"] = 0.5; }) != kNone);
  CHECK(made_up([](FileHeader& h) { h.params["stages"] = "blocked"; }) != kNone);
  CHECK(made_up([](FileHeader& h) { h.notes.target_false_positive_rate.reset(); }) != kNone);
}

TEST_CASE("damaged files: impossible generations are refused before memory is allocated",
          "[file]") {
  const NewFolder folder;
  const FileHeader whole = [&] {
    AnyFilter filter =
        make_filter("rotating", "remix",
                    {.num_bits = 900,
                     .num_hashes = 3,
                     .params = {{"generation_capacity", 15.0}, {"generations", 3.0}}});
    filter.insert(digests(0, 50));
    const FilterImage image = filter.image();
    write_filter_file(folder / "whole", image.header, image.stores);
    return image.header;
  }();
  const std::uint64_t payload = StoredFile(folder / "whole").preamble().payload_bytes;
  const auto made_up = [&](auto change, std::uint64_t more_words = 0) {
    FileHeader header = whole;
    change(header);
    write_made_up(folder / "file", header, payload / 8 + more_words);
    const std::string said = complaint(folder / "file");
    CHECK(complaint_of_map(folder / "file", "rotating", Checks::kHeader) == said);
    const std::string prefix = (folder / "file").string() + " cannot be read as a filter file: ";
    return said.starts_with(prefix) ? said.substr(prefix.size()) : said;
  };
  constexpr std::uint64_t kHuge = std::uint64_t{1} << 55U;
  CHECK(made_up([](FileHeader&) {}) == kNone);
  CHECK(made_up([](FileHeader& h) { h.geometry.num_cells = 901; }) ==
        "its cells must be 3 equal generations, got 901 cells in blocks of 1");
  CHECK(made_up([](FileHeader& h) {
          h.geometry.num_cells = 3 * 512;
          h.geometry.block_cells = 512;
        }) == "its cells must be 3 equal generations, got 1536 cells in blocks of 512");
  CHECK(made_up([](FileHeader& h) { h.geometry.cell_bits = 2; }) != kNone);
  CHECK(made_up([](FileHeader& h) { h.geometry.num_hashes = 65; }) != kNone);
  CHECK(made_up([](FileHeader& h) { h.geometry.num_cells = 3 * kHuge; }) ==
        "its 108086391056891904 cells must have 13510798882111488 bytes, got 192");
  CHECK(made_up([](FileHeader&) {}, 8) == "its 900 cells must have 192 bytes, got 256");
  CHECK(made_up([](FileHeader& h) { h.generations.reset(); }) == "field 'generations' is missing");
  CHECK(made_up([](FileHeader& h) { h.generations->num_inserted.pop_back(); }) ==
        "field 'generations' must have 3 numbers, got 2");
  CHECK(made_up([](FileHeader& h) { h.generations->num_inserted[1] = 16; }) ==
        "field 'generations' must be at most 15 in generation 1, got 16");
  CHECK(made_up([](FileHeader& h) { h.generations->num_ticks = 4; }) ==
        "field 'num_ticks' must be at most 3, the number of rotations, got 4");
  CHECK(made_up([](FileHeader& h) { h.params.erase("generation_capacity"); }) ==
        "capacity must be given for rotating, unless generation_capacity is: the number of insert "
        "calls of the window");
  CHECK(made_up([](FileHeader& h) { h.params["generation"] = "lanes"; }) ==
        "num_hashes must be 8, got 3");
  CHECK(made_up([](FileHeader& h) { h.params["generations"] = 65.0; }) ==
        "generations must be a whole number in [2, 64], got 65");
}

TEST_CASE("damaged files: cells behind those of a generation are refused", "[file]") {
  const NewFolder folder;
  const AnyFilter filter =
      make_filter("rotating", "remix",
                  {.num_bits = 900,
                   .num_hashes = 3,
                   .params = {{"generation_capacity", 15.0}, {"generations", 3.0}}});
  const FilterImage image = filter.image();
  for (std::size_t slot = 0; slot < 3; ++slot) {
    std::vector<std::vector<std::uint64_t>> cells;
    for (const auto& store : image.stores) cells.emplace_back(store.begin(), store.end());
    cells[slot].back() |= std::uint64_t{1} << 300 % 64;
    write_filter_file(folder / "file", image.header,
                      std::vector<std::span<const std::uint64_t>>(cells.begin(), cells.end()));
    const std::string said =
        "slot " + std::to_string(slot) + " is damaged: a bit after its last cell is set";
    CHECK(contains_text(complaint(folder / "file"), said));
    CHECK(contains_text(complaint_of_map(folder / "file", "rotating", Checks::kHeader), said));
  }
}

TEST_CASE("damaged files: cells behind those of a stage are refused", "[file]") {
  const NewFolder folder;
  AnyFilter filter =
      make_filter("scalable", "remix", {.capacity = 20, .target_false_positive_rate = 0.1});
  filter.insert(digests(0, 50));
  const FilterImage image = filter.image();
  REQUIRE(image.header.stages.size() == 2);
  for (std::size_t stage = 0; stage < 2; ++stage) {
    INFO(stage);
    std::vector<std::vector<std::uint64_t>> cells;
    for (const auto& store : image.stores) cells.emplace_back(store.begin(), store.end());
    const std::uint64_t num_cells = image.header.stages[stage].num_cells;
    REQUIRE(num_cells % 64 != 0);
    // The unused bits of the last word and the padding before the next stage must be 0.
    for (const std::uint64_t bit : {num_cells, (num_cells / 512 + 1) * 512 - 1}) {
      std::vector<std::vector<std::uint64_t>> changed = cells;
      changed[stage].resize((num_cells / 512 + 1) * 8);
      changed[stage][bit / 64] |= std::uint64_t{1} << bit % 64;
      write_filter_file(
          folder / "file", image.header,
          std::vector<std::span<const std::uint64_t>>(changed.begin(), changed.end()));
      const std::string said = complaint(folder / "file");
      CHECK(contains_text(said, "stage " + std::to_string(stage) +
                                    " is damaged: a bit after its last cell is set"));
      CHECK(complaint_of_map(folder / "file", "scalable", Checks::kHeader) == said);
    }
  }
}

TEST_CASE("damaged files: a missing file, a device, a folder and a text file are refused",
          "[file]") {
  const NewFolder folder;
  CHECK_THROWS_AS(load_any(folder / "missing"), IoError);
  CHECK_THROWS_AS(load_any("/dev/null"), ConfigError);
  CHECK_THROWS_AS(load_any("/"), std::exception);
  write_bytes(folder / "text", "not a filter at all, but longer than the preamble of one, surely.");
  CHECK(
      contains_text(complaint(folder / "text"), "its first bytes are not those of a filter file"));
}
