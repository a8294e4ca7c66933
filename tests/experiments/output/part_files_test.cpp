#include <fcntl.h>
#include <sys/resource.h>

#include <csignal>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "experiments/output/part_reader.hpp"
#include "experiments/output/part_writer.hpp"
#include "experiments/output/unit_line.hpp"
#include "experiments/text/content_hash.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/runs/made_up_runs.hpp"
#include "tests/support/temp_folder.hpp"

namespace bloometry {
namespace {

/// A folder of part files, and the units of a small config.
struct Parts {
  test::TempFolder folder;
  std::vector<Unit> units = expand(test::small_config());

  [[nodiscard]] std::string line(std::size_t unit) const {
    return to_line(test::made_up_result(units[unit]));
  }

  [[nodiscard]] FinishedUnits read() const { return read_parts(folder.path(), units).finished; }

  [[nodiscard]] PartContents scan(const std::set<std::string>& distrusted = {}) const {
    return scan_parts(folder.path(), units, {.distrusted = distrusted});
  }

  [[nodiscard]] std::string complaint() const {
    return test::message_of<ConfigError>([&] { static_cast<void>(read()); });
  }
};

}  // namespace

TEST_CASE("part_files: written units are read back", "[output][parts]") {
  const Parts parts;
  PartWriter writer(parts.folder.path());
  for (const Unit& unit : parts.units) writer.write(test::made_up_result(unit));
  const FinishedUnits finished = parts.read();
  REQUIRE(finished.size() == parts.units.size());
  for (const Unit& unit : parts.units) {
    REQUIRE(finished.at(unit.id).rows == test::made_up_result(unit).rows);
  }
}

TEST_CASE("part_files: every writer has its own file, created with its first unit",
          "[output][parts]") {
  const Parts parts;
  PartWriter idle(parts.folder.path());
  REQUIRE(list_parts(parts.folder.path()).empty());
  PartWriter first(parts.folder.path());
  first.write(test::made_up_result(parts.units[0]));
  PartWriter second(parts.folder.path());
  second.write(test::made_up_result(parts.units[1]));
  REQUIRE(list_parts(parts.folder.path()) ==
          std::vector{parts.folder / "000001.jsonl", parts.folder / "000002.jsonl"});
  REQUIRE(test::read_text(parts.folder / "000001.jsonl") == parts.line(0));
}

TEST_CASE("part_files: the next part follows the last part, and other numbers are ignored",
          "[output][parts]") {
  const Parts parts;
  test::write_text(parts.folder / "18446744073709551615.jsonl", parts.line(0));
  test::write_text(parts.folder / "000000.jsonl", parts.line(0));
  test::write_text(parts.folder / "000041.jsonl", parts.line(0));
  PartWriter writer(parts.folder.path());
  writer.write(test::made_up_result(parts.units[1]));
  REQUIRE(test::read_text(parts.folder / "000042.jsonl") == parts.line(1));
}

TEST_CASE("part_files: units written by many threads are whole lines", "[output][parts]") {
  const Parts parts;
  PartWriter writer(parts.folder.path());
  {
    std::vector<std::jthread> threads;
    for (const Unit& unit : parts.units) {
      threads.emplace_back([&] { writer.write(test::made_up_result(unit)); });
    }
  }
  REQUIRE(parts.read().size() == parts.units.size());
}

TEST_CASE("part_files: a part cut at any byte gives the whole units before", "[output][parts]") {
  const Parts parts;
  const std::string first = parts.line(0);
  const std::string text = first + parts.line(1);
  for (std::size_t size = 0; size <= text.size(); ++size) {
    test::write_text(parts.folder / "000001.jsonl", text.substr(0, size));
    const std::size_t num_whole = size == text.size() ? 2 : size >= first.size() ? 1 : 0;
    INFO("cut at byte " << size);
    REQUIRE(parts.read().size() == num_whole);
  }
}

TEST_CASE("part_files: a torn end of zeros, as a power failure leaves it, is ignored",
          "[output][parts]") {
  const Parts parts;
  test::write_text(parts.folder / "000001.jsonl", parts.line(0) + std::string(100, '\0'));
  REQUIRE(parts.read().size() == 1);
}

TEST_CASE("part_files: a unit found twice with equal rows is read once", "[output][parts]") {
  const Parts parts;
  UnitResult again = test::made_up_result(parts.units[0]);
  again.timing.total_s = 99;  // the two results differ only in their time
  test::write_text(parts.folder / "000001.jsonl", parts.line(0));
  test::write_text(parts.folder / "000002.jsonl", to_line(again));
  REQUIRE(parts.read().size() == 1);
  REQUIRE(parts.read().begin()->second.timing.total_s == 0.1);
}

TEST_CASE("part_files: a unit found twice with different rows is an error", "[output][parts]") {
  const Parts parts;
  UnitResult again = test::made_up_result(parts.units[0]);
  ++again.rows[1].num_false_positives;
  test::write_text(parts.folder / "000001.jsonl", parts.line(0));
  test::write_text(parts.folder / "000002.jsonl", parts.line(1) + to_line(again));
  REQUIRE(parts.complaint() == (parts.folder / "000001.jsonl").string() + ", line 1: unit " +
                                   parts.units[0].id +
                                   " occurs twice with different rows; `bloometry sweep repair " +
                                   parts.folder.path().parent_path().string() + "` drops the line");

  SECTION("both lines are damaged") {
    const PartContents contents = parts.scan();
    REQUIRE(contents.damaged.size() == 2);
    CHECK(contents.damaged[0].part == parts.folder / "000001.jsonl");
    CHECK(contents.damaged[0].number == 1);
    CHECK(contents.damaged[1].part == parts.folder / "000002.jsonl");
    CHECK(contents.damaged[1].number == 2);
    CHECK(contents.damaged[1].unit == parts.units[0].id);
    CHECK(contents.finished.size() == 1);
    CHECK(contents.finished.contains(parts.units[1].id));
  }
  SECTION("a third line is also damaged") {
    test::write_text(parts.folder / "000003.jsonl", parts.line(0));
    CHECK(parts.scan().damaged.size() == 3);
    CHECK_FALSE(parts.scan().finished.contains(parts.units[0].id));
  }
}

TEST_CASE("part_files: a scan omits damaged lines and reports the unit that they name",
          "[output][parts]") {
  const Parts parts;
  std::string broken = parts.line(1);
  broken.erase(0, 1);
  test::write_text(parts.folder / "000001.jsonl",
                   parts.line(0) + broken + "garbage\n" + parts.line(2) + "torn");
  test::write_text(parts.folder / "000001.jsonl.damaged", "garbage\n");
  const PartContents contents = parts.scan();
  REQUIRE(contents.finished.size() == 2);
  REQUIRE(contents.damaged.size() == 3);
  CHECK(contents.damaged[0].number == 2);
  CHECK(contents.damaged[0].unit == parts.units[1].id);
  CHECK(contents.damaged[1].number == 3);
  CHECK(contents.damaged[1].unit.empty());
  CHECK_FALSE(contents.damaged[1].is_torn);
  CHECK(contents.damaged[2].number == 5);
  CHECK(contents.damaged[2].is_torn);
  CHECK(contents.hashes.size() == 1);

  SECTION("a scan omits all lines of an untrusted part") {
    const PartContents rest = parts.scan({"000001.jsonl"});
    CHECK(rest.finished.empty());
    CHECK(rest.damaged.size() == 5);
    CHECK(rest.damaged[0].unit == parts.units[0].id);
  }
}

TEST_CASE("part_files: a writer's hash is that of its own bytes, not of a later file",
          "[output][parts]") {
  const Parts parts;
  PartWriter writer(parts.folder.path());
  REQUIRE_FALSE(writer.written());
  writer.write(test::made_up_result(parts.units[0]));
  writer.write(test::made_up_result(parts.units[1]));
  REQUIRE(writer.written()->name == "000001.jsonl");
  REQUIRE(writer.written()->hash == content_hash(parts.line(0) + parts.line(1)));
  REQUIRE(parts.scan().hashes.at("000001.jsonl") == writer.written()->hash);
  test::write_text(parts.folder / "000001.jsonl", parts.line(2));
  REQUIRE(parts.scan().hashes.at("000001.jsonl") != writer.written()->hash);
}

TEST_CASE("part_files: a complete line that is not a unit is an error with its place",
          "[output][parts]") {
  const Parts parts;
  test::write_text(parts.folder / "000001.jsonl", parts.line(0) + "garbage\n" + parts.line(1));
  REQUIRE(
      test::contains_text(parts.complaint(), "000001.jsonl, line 2: must be JSON at column 1: "));
}

TEST_CASE("part_files: units and rows that do not match the config are errors", "[output][parts]") {
  const Parts parts;
  UnitResult result = test::made_up_result(parts.units[0]);
  std::string reason;
  SECTION("a unit of another config") {
    const Unit other = expand(test::small_config("small", 3)).front();
    result = test::made_up_result(other);
    for (TrialRow& row : result.rows) row.unit = std::string(32, 'f');
    result.timing.unit = std::string(32, 'f');
    test::write_text(parts.folder / "000001.jsonl", to_line(result));
    REQUIRE(test::contains_text(parts.complaint(), "is not part of the config"));
  }
  SECTION("a missing row") {
    result.rows.pop_back();
    reason = " must have ";
  }
  SECTION("another number of keys") {
    ++result.rows[0].num_inserted;
    reason = ": num_inserted must be ";
  }
  SECTION("another number of hashes") {
    result.rows[0].num_hashes = 3;
    reason = ": num_hashes must be ";
  }
  SECTION("another number of queries") {
    ++result.rows[0].num_queries;
    reason = ": num_queries must be ";
  }
  SECTION("another variant") {
    result.rows[0].variant = "standard";
    reason = ": variant must be '";
  }
  SECTION("another trial") {
    ++result.rows[0].trial;
    reason = ": trial must be 1, got 2";
  }
  test::write_text(parts.folder / "000001.jsonl", to_line(result));
  REQUIRE(test::contains_text(parts.complaint(), "000001.jsonl, line 1: "));
  CHECK_THAT(parts.complaint(), Catch::Matchers::Contains(reason));
}

TEST_CASE("part_files: rows that their unit cannot produce are errors", "[output][parts]") {
  const Parts parts;
  UnitResult result = test::made_up_result(parts.units[0]);
  REQUIRE_FALSE(parts.units[0].churn);
  TrialRow& row = result.rows[0];
  test::write_text(parts.folder / "000001.jsonl", to_line(result));
  REQUIRE(parts.read().size() == 1);

  // Only churn can cause these counts. In a row without churn, the counts would exempt the row from
  // a test.
  std::string reason;
  SECTION("wrongful erases") {
    row.num_wrongful_erases = 5;
    reason = "num_wrongful_erases must be ";
  }
  SECTION("refused erases") {
    row.num_refused_erases = 5;
    reason = "num_refused_erases must be ";
  }
  SECTION("refused inserts of a filter that is not limited") {
    row.num_refused_inserts = 0;
    reason = "num_refused_inserts must be absent, got 0";
  }
  SECTION("more ones than cells") {
    row.num_ones = row.num_bits + 1;
    reason = "num_ones must be at most num_";
  }
  SECTION("more false positives than queries") {
    row.num_false_positives = row.num_queries + 1;
    reason = "num_false_positives must be at most num_queries = ";
  }
  SECTION("more misses than queried members") {
    row.num_false_negatives = row.num_member_queries + 1;
    reason = "num_false_negatives must be at most num_member_queries = ";
  }
  SECTION("more members queried than inserted") {
    row.num_member_queries = row.num_inserted + 1;
    reason = "num_member_queries must be at most num_inserted = ";
  }
  SECTION("members left out") {
    --row.num_member_queries;
    reason = "num_member_queries must be ";
  }
  SECTION("other cells") {
    row.num_bits += 64;
    reason = "num_bits must be ";
  }
  SECTION("a rate above 1") {
    row.conditional_false_positive_rate = 1.5;
    reason = "conditional_false_positive_rate must be in [0, 1], got 1.5";
  }
  test::write_text(parts.folder / "000001.jsonl", to_line(result));
  REQUIRE(test::contains_text(parts.complaint(), "000001.jsonl, line 1: "));
  CHECK_THAT(parts.complaint(), Catch::Matchers::Contains(reason));
}

TEST_CASE("part_files: impossible histograms are errors", "[output][parts]") {
  const Parts parts;
  UnitResult result = test::made_up_result(parts.units[0]);
  TrialRow& row = result.rows[0];  // k = 2; the histogram counts all 1000 queries
  row.set_probe_counts = {500, 1000 - 500 - row.num_false_positives, row.num_false_positives};
  test::write_text(parts.folder / "000001.jsonl", to_line(result));
  REQUIRE(parts.read().begin()->second.rows == result.rows);

  std::vector<std::uint64_t>& counts = row.set_probe_counts;
  std::string reason;
  SECTION("length for another k") {
    counts.push_back(0);
    reason = "length of set_probe_counts must be 3, got 4";
  }
  SECTION("too few queries") {
    --counts[0];
    reason = "set_probe_counts must add up to 1000, got 999";
  }
  SECTION("too many queries, with a sum that overflows") {
    counts[0] += 1ULL << 63U;
    counts[1] += 1ULL << 63U;
    reason = "set_probe_counts must add up to 1000, got more";
  }
  SECTION("more false positives than the row") {
    ++counts[2];
    --counts[1];
    reason = "last number of set_probe_counts must be ";
  }
  SECTION("fewer false positives than the row") {
    --counts[2];
    ++counts[1];
    reason = "last number of set_probe_counts must be ";
  }
  test::write_text(parts.folder / "000001.jsonl", to_line(result));
  CHECK_THAT(parts.complaint(), Catch::Matchers::Contains(reason));
}

TEST_CASE(
    "part_files: a histogram of the first queries has at most the false positives of all queries",
    "[output][parts]") {
  Parts parts;
  for (Point& point : parts.units[0].points) point.num_queries = 2 * kMaxHistogramQueries;
  UnitResult result = test::made_up_result(parts.units[0]);
  TrialRow& row = result.rows[0];
  std::vector<std::uint64_t>& counts = row.set_probe_counts;
  SECTION("no false positive among the first queries") {
    counts = {0, kMaxHistogramQueries, 0};
    test::write_text(parts.folder / "000001.jsonl", to_line(result));
    REQUIRE(parts.read().begin()->second.rows == result.rows);
  }
  SECTION("one false positive more than all") {
    const std::uint64_t false_positives = row.num_false_positives + 1;
    counts = {0, kMaxHistogramQueries - false_positives, false_positives};
    test::write_text(parts.folder / "000001.jsonl", to_line(result));
    REQUIRE(test::contains_text(
        parts.complaint(),
        "last number of set_probe_counts must be at most num_false_positives = "));
  }
}

TEST_CASE("part_files: a unit without histograms equals the same unit with histograms",
          "[output][parts]") {
  const Parts parts;
  UnitResult result = test::made_up_result(parts.units[0]);
  for (TrialRow& row : result.rows) {
    row.set_probe_counts = {500, 500 - row.num_false_positives, row.num_false_positives};
  }
  SECTION("without histograms first") {
    test::write_text(parts.folder / "000001.jsonl", parts.line(0));
    test::write_text(parts.folder / "000002.jsonl", to_line(result));
    REQUIRE(parts.read().begin()->second.rows == result.rows);
  }
  SECTION("without histograms last") {
    test::write_text(parts.folder / "000001.jsonl", to_line(result));
    test::write_text(parts.folder / "000002.jsonl", parts.line(0));
    REQUIRE(parts.read().begin()->second.rows == result.rows);
  }
  SECTION("two different histograms are an error") {
    UnitResult other = result;
    ++other.rows[1].set_probe_counts[0];
    --other.rows[1].set_probe_counts[1];
    test::write_text(parts.folder / "000001.jsonl", to_line(result));
    test::write_text(parts.folder / "000002.jsonl", to_line(other));
    REQUIRE(test::contains_text(parts.complaint(), "twice with different rows"));
  }
}

TEST_CASE("part_files: single bits flipped in a part are errors or other counts, never a crash",
          "[output][parts]") {
  const Parts parts;
  const std::string text = parts.line(0);
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string flipped = text;
    flipped[i] = static_cast<char>(flipped[i] ^ 4);
    test::write_text(parts.folder / "000001.jsonl", flipped);
    std::size_t num_finished = 0;
    try {
      num_finished = parts.read().size();
    } catch (const ConfigError&) {
      num_finished = 0;
    }
    REQUIRE(num_finished <= 1);
  }
}

TEST_CASE("part_files: a partial line after a failed write is removed before the next write",
          "[output][parts]") {
  const Parts parts;
  PartWriter writer(parts.folder.path());
  writer.write(test::made_up_result(parts.units[0]));
  const auto failed_write = [&] {
    // Limits the growth of files to ten bytes, as on a nearly full disk.
    auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    const rlimit low{.rlim_cur = parts.line(0).size() + 10, .rlim_max = limit.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &low);
    const std::string message =
        test::message_of<IoError>([&] { writer.write(test::made_up_result(parts.units[1])); });
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, handler);
    return message;
  };
  REQUIRE(test::contains_text(failed_write(), "000001.jsonl: File too large"));
  writer.write(test::made_up_result(parts.units[2]));  // as another thread, after space was freed
  REQUIRE(test::read_text(parts.folder / "000001.jsonl") == parts.line(0) + parts.line(2));
}

TEST_CASE("part_files: a full disk is an IoError that names the file", "[output][parts]") {
  const Parts parts;
  std::filesystem::create_symlink("/dev/full", parts.folder / "full.jsonl");
  FileDescriptor full(parts.folder / "full.jsonl", O_WRONLY);
  REQUIRE(test::message_of<IoError>([&] { full.write("x"); }) ==
          "cannot write " + (parts.folder / "full.jsonl").string() + ": No space left on device");
}

}  // namespace bloometry
