#include "experiments/output/csv.hpp"

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"

namespace bloometry {
namespace {

using Cells = std::vector<std::string>;

/// Parses RFC 4180. The parser does not share code with the CSV writer.
std::vector<Cells> parse_csv(const std::string& text) {
  std::vector<Cells> lines(1);
  lines.back().emplace_back();
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      lines.back().back() += '"';
      ++i;
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && c == ',') {
      lines.back().emplace_back();
    } else if (!is_quoted && c == '\n') {
      lines.push_back({""});
    } else {
      lines.back().back() += c;
    }
  }
  lines.pop_back();
  return lines;
}

}  // namespace

TEST_CASE("csv: the header of trials.csv is frozen", "[output][csv]") {
  // results/README.md documents the column names. Notebooks and other programs depend on the names.
  REQUIRE(trials_csv({}) ==
          "unit,variant,keys,hash,probes,params,trial,num_inserted,num_bits,num_counters,"
          "num_hashes,target_false_positive_rate,num_queries,num_false_positives,"
          "num_member_queries,num_false_negatives,num_ones,num_passing_pairs,num_stored,"
          "num_stages,num_saturated,num_refused_inserts,num_refused_erases,num_wrongful_erases,"
          "num_skipped_decrements,conditional_false_positive_rate\n");
  REQUIRE(timings_csv({}) ==
          "unit,engine,num_points,num_key_operations,hash_s,insert_s,query_s,check_s,total_s\n");
}

TEST_CASE("csv: the counts of windows are the last columns, if any row has them", "[output][csv]") {
  TrialRow plain;
  plain.unit = "plain";
  TrialRow windowed;
  windowed.unit = "windowed";
  windowed.num_window_queries = 5;
  windowed.num_window_violations = 0;
  windowed.num_expired_queries = 4;
  windowed.num_expired_retained = 3;
  windowed.num_expired_present = 1;
  const std::string without = trials_csv(std::vector<TrialRow>{plain, plain});
  REQUIRE(without.find("window") == std::string::npos);
  const std::vector<Cells> lines = parse_csv(trials_csv(std::vector<TrialRow>{plain, windowed}));
  REQUIRE(lines.size() == 3);
  const auto last_five = [](const Cells& cells) { return Cells(cells.end() - 5, cells.end()); };
  REQUIRE(last_five(lines[0]) == Cells{"num_window_queries", "num_window_violations",
                                       "num_expired_queries", "num_expired_retained",
                                       "num_expired_present"});
  REQUIRE(last_five(lines[1]) == Cells(5));
  REQUIRE(last_five(lines[2]) == Cells{"5", "0", "4", "3", "1"});
  // The other columns are those of a run without windows.
  const std::vector<Cells> plain_lines = parse_csv(without);
  for (std::size_t i = 0; i < 2; ++i) {
    REQUIRE(Cells(lines[i].begin(), lines[i].end() - 5) == plain_lines[i]);
  }
}

TEST_CASE("csv: the counts of streams of items are the last columns, if any row has them",
          "[output][csv]") {
  TrialRow plain;
  plain.unit = "plain";
  TrialRow streamed;
  streamed.unit = "streamed";
  streamed.num_originals = 6;
  streamed.num_originals_stopped = 1;
  streamed.num_duplicates = 5;
  streamed.num_duplicates_passed = 2;
  streamed.num_held_duplicates = 3;
  streamed.num_lost_duplicates = 0;
  const std::string without = trials_csv(std::vector<TrialRow>{plain, plain});
  REQUIRE(without.find("original") == std::string::npos);
  const std::vector<Cells> lines = parse_csv(trials_csv(std::vector<TrialRow>{plain, streamed}));
  REQUIRE(lines.size() == 3);
  const auto last_six = [](const Cells& cells) { return Cells(cells.end() - 6, cells.end()); };
  REQUIRE(last_six(lines[0]) == Cells{"num_originals", "num_originals_stopped", "num_duplicates",
                                      "num_duplicates_passed", "num_held_duplicates",
                                      "num_lost_duplicates"});
  REQUIRE(last_six(lines[1]) == Cells(6));
  REQUIRE(last_six(lines[2]) == Cells{"6", "1", "5", "2", "3", "0"});
  const std::vector<Cells> plain_lines = parse_csv(without);
  for (std::size_t i = 0; i < 2; ++i) {
    REQUIRE(Cells(lines[i].begin(), lines[i].end() - 6) == plain_lines[i]);
  }
}

TEST_CASE("csv: cells with commas, quotes and line breaks are quoted", "[output][csv]") {
  REQUIRE(csv_cell("plain text") == "plain text");
  REQUIRE(csv_cell("a,b") == "\"a,b\"");
  REQUIRE(csv_cell("a\"b") == "\"a\"\"b\"");
  REQUIRE(csv_cell("a\nb") == "\"a\nb\"");
  REQUIRE(csv_cell("") == "");
}

TEST_CASE("csv: absent values are empty cells", "[output][csv]") {
  REQUIRE(csv_cell(std::optional<std::uint64_t>()) == "");
  REQUIRE(csv_cell(std::optional<double>()) == "");
  REQUIRE(csv_cell(std::optional<std::uint64_t>(0)) == "0");
}

TEST_CASE("csv: doubles are the shortest text that reads back", "[output][csv]") {
  REQUIRE(csv_cell(0.1) == "0.1");
  REQUIRE(csv_cell(0.0) == "0");
  REQUIRE(csv_cell(1e-300) == "1e-300");
  for (const double value : {1.0 / 3, 5e-324, 0.1 + 0.2}) {
    REQUIRE(std::strtod(csv_cell(value).c_str(), nullptr) == value);
  }
}

TEST_CASE("csv: every row has every column, and texts are unchanged", "[output][csv]") {
  std::vector<TrialRow> rows = test::made_up_result(expand(test::small_config()).front()).rows;
  rows[0].keys = "file:odd, \"name\"\nof a file";
  const std::vector<Cells> table = parse_csv(trials_csv(rows));
  REQUIRE(table.size() == 1 + rows.size());
  for (const Cells& line : table) REQUIRE(line.size() == 26);
  REQUIRE(table[1][0] == rows[0].unit);
  REQUIRE(table[1][2] == rows[0].keys);
  REQUIRE(table[1][5] == rows[0].params);
  REQUIRE(table[1][11].empty());
  REQUIRE(std::strtod(table[1][25].c_str(), nullptr) == rows[0].conditional_false_positive_rate);
  REQUIRE(trials_csv(rows).back() == '\n');
}

TEST_CASE("csv: histograms.csv has a line for each number of set cells", "[output][csv]") {
  const std::string header = "unit,num_inserted,num_hashes,num_set_cells,num_queries\n";
  REQUIRE(histograms_csv({}) == header);
  TrialRow row;
  row.unit = "u";
  row.num_inserted = 10;
  row.num_hashes = 2;
  TrialRow without = row;
  row.set_probe_counts = {7, 0, 3};
  REQUIRE(histograms_csv(std::vector{without, row}) ==
          header + "u,10,2,0,7\nu,10,2,1,0\nu,10,2,2,3\n");
}

}  // namespace bloometry
