#include "experiments/report/selection.hpp"

#include <set>

#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"

using namespace bloometry;
using namespace bloometry::report;
using bloometry::test::make_row;

TEST_CASE("selection: at_capacity keeps the n closest to the capacity of each size", "[report]") {
  const std::vector<SummaryRow> rows = {make_row(10'000, 8, 4), make_row(90'000, 8, 4),
                                        make_row(300'000, 8, 4)};
  const Rows kept = at_capacity(all_rows(rows), Wording(rows));
  REQUIRE(kept.size() == 1);
  CHECK(kept.front()->num_inserted == 90'000);
}

TEST_CASE("selection: rows without a capacity are kept at the n of the other rows", "[report]") {
  std::vector<SummaryRow> rows = {make_row(100'000, 8, 4), make_row(100'000, 8, 4),
                                  make_row(50'000, 8, 4)};
  for (std::size_t i : {1U, 2U}) {
    rows[i].variant = "scalable";
    rows[i].capacity.reset();
    rows[i].target_false_positive_rate = 0.01;
  }
  const Rows kept = at_capacity(all_rows(rows), Wording(rows));
  REQUIRE(kept.size() == 2);
  CHECK(kept.back()->num_inserted == 100'000);
}

TEST_CASE("wording: a size is the requested size, not the rounded one", "[report]") {
  std::vector<SummaryRow> rows = {make_row(100, 8.013, 4), make_row(200, 8.013, 4)};
  CHECK(Wording(rows).size(rows[0]) == "8.013 bits per key");
  for (SummaryRow& row : rows) row.requested_bits_per_key = 8;
  CHECK(Wording(rows).size(rows[0]) == "8 bits per key");
  for (SummaryRow& row : rows) row.capacity.reset();
  CHECK(Wording(rows).size(rows[0]) == "8 bits per key");
}

TEST_CASE("wording: counts have thousands separators", "[report]") {
  const std::vector<SummaryRow> rows = {make_row(1'250'000, 8, 4)};
  const Wording wording(rows);
  CHECK(axis("capacity").label(rows[0], wording) == "capacity 100,000");
  CHECK(axis("num_inserted").label(rows[0], wording) == "n = 1,250,000");
  CHECK(axis("num_bits").label(rows[0], wording) == "m = 800,000 bits");
  CHECK(axis("n_over_capacity").label(rows[0], wording) == "n / capacity = 12.5");
}

TEST_CASE("selection: the best k has the least rate at capacity, for every n", "[report]") {
  std::vector<SummaryRow> rows;
  for (const std::uint64_t n : {10'000U, 100'000U, 300'000U}) {
    for (const std::uint64_t k : {2U, 4U, 6U, 9U}) rows.push_back(make_row(n, 8, k));
  }
  const Rows kept = at_best_num_hashes(all_rows(rows), Wording(rows));
  REQUIRE(kept.size() == 3);
  for (const SummaryRow* row : kept) CHECK(row->num_hashes == 6U);
}

TEST_CASE("selection: an n without the best k has the row with its lowest rate", "[report]") {
  std::vector<SummaryRow> rows = {make_row(100'000, 8, 4), make_row(100'000, 8, 6),
                                  make_row(10'000, 8, 9), make_row(10'000, 8, 20),
                                  make_row(10'000, 8, 3)};
  const Rows kept = at_best_num_hashes(all_rows(rows), Wording(rows));
  CHECK(kept == Rows{&rows[1], &rows[3]});
  const std::set<const SummaryRow*> others = at_other_num_hashes(kept, Wording(rows));
  CHECK(others == std::set<const SummaryRow*>{&rows[3]});
}

TEST_CASE("selection: rows without num_hashes are kept", "[report]") {
  std::vector<SummaryRow> rows = {make_row(100'000, 8, 4)};
  rows.front().num_hashes.reset();
  CHECK(at_best_num_hashes(all_rows(rows), Wording(rows)).size() == 1);
}

TEST_CASE("wording: only parameters that vary within a variant are named", "[report]") {
  std::vector<SummaryRow> rows(3, make_row(100'000, 8, 4));
  rows[0].params = R"({"growth_factor":2,"insert_policy":"blind"})";
  rows[1].params = R"({"growth_factor":2,"insert_policy":"check_first"})";
  rows[2].variant = "counting";
  rows[2].params = R"({"counter_bits":4})";
  const Wording wording(rows);
  CHECK(wording.params(rows[0]) == "blind");
  CHECK(wording.params(rows[2]).empty());
}

TEST_CASE("wording: a parameter that only some rows of a variant have is named", "[report]") {
  std::vector<SummaryRow> rows(2, make_row(100'000, 8, 4));
  rows[0].params = R"({"growth_factor":2,"initial_rate":0.01})";
  rows[1].params = R"({"growth_factor":2})";
  const Wording wording(rows);
  CHECK(wording.params(rows[0]) == "initial_rate = 0.01");
  CHECK(wording.params(rows[1]).empty());
}

TEST_CASE("wording: a size is the requested one", "[report]") {
  std::vector<SummaryRow> rows = {make_row(50'000, 9.585, 7), make_row(1000, 8, 4),
                                  make_row(2000, 8, 4), make_row(1000, 8, 4)};
  rows[0].variant = "partitioned";
  for (std::size_t i : {1U, 2U, 3U}) rows[i].capacity.reset();
  rows[3].target_false_positive_rate = 0.001;
  const Wording wording(rows);
  CHECK(wording.size(rows[0]) == "9.585 bits per key");
  CHECK(wording.size(rows[1]) == "m = 800,000 bits");
  CHECK(wording.size(rows[3]) == "target 0.001");
}

TEST_CASE("wording: key files are called by their name, or their path if two files share the name",
          "[report]") {
  std::vector<SummaryRow> rows = {make_row(1'000, 8, 5), make_row(1'000, 8, 5),
                                  make_row(1'000, 8, 5), make_row(1'000, 8, 5)};
  rows[0].keys = "random";
  rows[1].keys = "file:/usr/share/dict/american-english";
  rows[2].keys = "file:a/words.txt";
  rows[3].keys = "file:b/words.txt";
  const Wording wording(rows);
  CHECK(wording.keys(rows[0]) == "random");
  CHECK(wording.keys(rows[1]) == "american-english");
  CHECK(wording.keys(rows[2]) == "file:a/words.txt");
  CHECK(wording.keys(rows[3]) == "file:b/words.txt");
  const Wording labelled(rows, {{"file:a/words.txt", "my words"}});
  CHECK(labelled.keys(rows[2]) == "my words");
  CHECK(axis("keys").label(rows[2], labelled) == "my words");
}
