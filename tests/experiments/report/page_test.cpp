#include "experiments/report/page.hpp"

#include <set>

#include "experiments/report/page_data.hpp"
#include "experiments/report/page_tables.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"

using namespace bloometry;
using namespace bloometry::chart;
using namespace bloometry::report;
using namespace bloometry::test;

namespace {

const ChartRuntime kRuntime{.vega = "/*vega*/'</script>'", .vega_lite = "", .vega_embed = ""};

std::string page_of(const HandMadeRun& made,
                    const std::optional<ChartRuntime>& runtime = kRuntime) {
  const ChartSet charts = make_charts(made.run.config, made.rows, made.verdict);
  const PageInput input{
      .run = made.run, .rows = made.rows, .verdict = made.verdict, .charts = charts};
  return make_page(input, page_folder(), runtime);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t i = text.find(part); i != text.npos; i = text.find(part, i + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("page: the verdict is a sentence", "[report]") {
  HandMadeRun made = one_series_run();
  SECTION("accepted") {
    const VerdictText text = describe(made.verdict, made.run);
    CHECK(text.kind == "accepted");
    CHECK(contains(text.evidence, "20 exact tests over 20 rows"));
    CHECK(contains(text.evidence, "at most 1e-06"));
  }
  SECTION("deviates, even with missing units") {
    made.verdict.num_deviations = 1;
    made.verdict.num_false_negatives = 2;
    made.verdict.num_missing_units = 3;
    const VerdictText text = describe(made.verdict, made.run);
    CHECK(text.kind == "deviates");
    CHECK(contains(text.sentence, "1 row deviates"));
    CHECK(contains(text.sentence, "2 false negatives"));
  }
  SECTION("incomplete") {
    made.verdict.num_missing_units = 2;
    const VerdictText text = describe(made.verdict, made.run);
    CHECK(text.kind == "incomplete");
    CHECK(contains(text.sentence, "2 of 5 units of work are missing"));
  }
  SECTION("nothing tested is not accepted") {
    made.verdict.num_tests = 0;
    made.verdict.exempt["weak hash"] = 5;
    const VerdictText text = describe(made.verdict, made.run);
    CHECK(text.headline == "Nothing tested");
    CHECK(contains(text.evidence, "5 rows cannot be compared with theory"));
  }
  SECTION("altered: a changed file invalidates all rows") {
    std::vector<CheckedFile> files = {{"parts/000001.jsonl", FileState::kIntact}};
    CHECK(describe(made.verdict, made.run, files).kind == "accepted");
    for (int i = 2; i <= 8; ++i) {
      files.push_back({"parts/00000" + std::to_string(i) + ".jsonl", FileState::kChanged});
    }
    const VerdictText text = describe(made.verdict, made.run, files);
    CHECK(text.kind == "altered");
    CHECK(contains(text.sentence, "parts/000002.jsonl, parts/000003.jsonl"));
    CHECK(contains(text.sentence, "parts/000006.jsonl and 2 more"));
    CHECK_FALSE(contains(text.sentence, "000001"));
  }
  SECTION("no data") {
    CHECK(describe(empty_run().verdict, empty_run().run).kind == "empty");
  }
}

TEST_CASE("page: does not load external resources", "[report]") {
  const std::string page = page_of(large_run());
  CHECK(contains(page, "default-src 'none'"));
  for (const char* load :
       {" src=", "<link", "@import", "url(", "href=\"http", "<base", "<iframe"}) {
    INFO(load);
    CHECK_FALSE(contains(page, load));
  }
}

TEST_CASE("page: hostile texts are escaped", "[report]") {
  const std::string page = page_of(hostile_run());
  CHECK_FALSE(contains(page, "<img"));
  CHECK_FALSE(contains(page, "<script>window"));
  CHECK(contains(page, "&lt;script&gt;window.hacked=1"));
  CHECK(count(page, "</script>") == 6);  // scripts: table, data, three bundles, page
  CHECK(contains(page, "/*vega*/'<\\/script>'"));
}

TEST_CASE("page: every chart has a place, a title and a caption", "[report]") {
  const HandMadeRun made = large_run();
  const std::string page = page_of(made);
  for (const Chart& chart : make_charts(made.run.config, made.rows, made.verdict).charts) {
    CHECK(contains(page, "data-chart=\"" + chart.name + "\""));
  }
}

TEST_CASE("page: rows are embedded once, however many charts show them", "[report]") {
  const HandMadeRun made = large_run();
  std::set<std::size_t> shown;
  for (const Chart& chart : make_charts(made.run.config, made.rows, made.verdict).charts) {
    for (const PlottedPoint& point : chart.points) {
      if (point.row) shown.insert(*point.row);
    }
  }
  const std::string page = page_of(made);
  CHECK(count(page, "\"conditional_false_positive_rate\"") == 1);
  CHECK(contains(page, "\"length\":" + std::to_string(shown.size()) + "}"));
}

TEST_CASE("page: records are kept column by column", "[report]") {
  const std::vector<nlohmann::json> records = {
      {{"same", "x"}, {"text", "b"}, {"rate", 0.123456789}, {"copy", 0.123456789}, {"m", 3.0e9}},
      {{"same", "x"}, {"text", "a"}, {"rate", 1e-12}, {"copy", 1e-12}},
      {{"same", "x"}, {"text", "b"}, {"m", 9'007'199'254'740'991}}};
  const nlohmann::json columns = columns_of(records);
  CHECK(columns["length"] == 3);
  CHECK(columns["columns"]["same"] == nlohmann::json{{"all", "x"}});
  CHECK(columns["columns"]["text"] == nlohmann::json{{"texts", {"b", "a"}}, {"at", {0, 1, 0}}});
  CHECK(columns["columns"]["copy"] == nlohmann::json{{"values", {0.123457, 1e-12, nullptr}}});
  CHECK(columns["columns"]["rate"] == nlohmann::json{{"as", "copy"}});
  CHECK(columns["columns"]["m"] ==
        nlohmann::json{{"values", {3'000'000'000, nullptr, 9'007'199'254'740'991}}});
  CHECK(columns_of({}) == nlohmann::json{{"length", 0}, {"columns", nlohmann::json::object()}});
}

TEST_CASE("page: states how to repeat the run", "[report]") {
  HandMadeRun made = one_series_run();
  made.run.manifest["version"] = "9.8.7";
  made.run.manifest["git_revision"] = "abc<def";
  const std::string page = page_of(made);
  CHECK(contains(page, "bloometry 9.8.7, revision <code>abc&lt;def</code>"));
  CHECK(contains(page, "bloometry sweep run config.json --out again"));
  CHECK_FALSE(contains(page, "key files"));
  made.run.config.keys = {KeySource{.kind = KeySource::Kind::kFile, .name = "file:a<b.txt"}};
  CHECK(contains(page_of(made), "<code>a&lt;b.txt</code>"));
}

TEST_CASE("page: without a chart runtime it states what to install", "[report]") {
  const std::string page = page_of(large_run(), std::nullopt);
  CHECK(contains(page, "npm ci --ignore-scripts"));
  CHECK_FALSE(contains(page, "id=\"data\""));
  CHECK(contains(page, "Points, least likely first"));
}

TEST_CASE("page: a run without rows is reported as such", "[report]") {
  const std::string page = page_of(empty_run());
  CHECK(contains(page, "This run does not have rows yet"));
  CHECK_FALSE(contains(page, "<script"));
}

TEST_CASE("page: the table shows the least likely points and counts the rest", "[report]") {
  std::vector<SummaryRow> rows(kMostTableRows + 50, make_row(100'000, 8, 5));
  rows.back().min_false_positives_p_value = 1e-9;
  rows.back().variant = "suspect";
  const std::string table = points_table(rows);
  CHECK(count(table, "<tr>") == kMostTableRows + 1);
  CHECK(contains(table, "The 500 least likely of 550 points"));
  CHECK(table.find("suspect") < table.find("standard"));
}

TEST_CASE("page: parameters are in words", "[report]") {
  std::vector<SummaryRow> rows(2, make_row(100'000, 8, 5));
  rows.back().params = R"({"counter_bits":8,"form":"dl"})";
  CHECK(contains(points_table(rows), "standard, counter_bits = 8, form = dl"));
}

TEST_CASE("page: keys have their labels", "[report]") {
  std::vector<SummaryRow> rows(2, make_row(100'000, 8, 5));
  rows.back().keys = "file:words.txt";
  CHECK(contains(points_table(rows), "standard, file:words.txt keys"));
  CHECK(contains(points_table(rows, {{"file:words.txt", "English"}}), "standard, English keys"));
}

TEST_CASE("page: deviating rows are listed with their reasons", "[report]") {
  HandMadeRun made = one_series_run();
  CHECK(deviations_table(made.verdict).empty());
  made.verdict.rows.front().deviates = true;
  made.verdict.rows.front().why = "false positives: 5 of 10";
  made.verdict.num_deviations = 1;
  CHECK(contains(deviations_table(made.verdict), "false positives: 5 of 10"));
}

TEST_CASE("page: exempt rows are counted by reason", "[report]") {
  Verdict verdict;
  CHECK(exempt_table(verdict).empty());
  verdict.exempt["probe scheme double_mod"] = 1234;
  CHECK(contains(exempt_table(verdict), "probe scheme double_mod"));
  CHECK(contains(exempt_table(verdict), "1,234"));
}
