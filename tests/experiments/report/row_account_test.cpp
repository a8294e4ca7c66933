#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "experiments/plan/chart_request.hpp"
#include "experiments/plan/config.hpp"
#include "experiments/report/chart_csv.hpp"
#include "experiments/report/charts.hpp"
#include "experiments/report/row_marks.hpp"
#include "test_folders.hpp"
#include "tests/experiments/report/charts_of_runs.hpp"
#include "tests/experiments/report/drawn_marks.hpp"
#include "tests/experiments/report/row_identity.hpp"
#include "tests/experiments/report/rows_of_config.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"

using namespace bloometry;
using namespace bloometry::chart;
using namespace bloometry::report;
using namespace bloometry::test;
using nlohmann::json;

namespace {

/// The numbers in the caption of a chart. Without numbers, the caption states that all are drawn.
struct Declared {
  std::size_t num_drawn = 0;
  std::size_t num_all = 0;
  std::size_t num_left_out = 0;
};

std::size_t number_at(const std::string& text, std::size_t at) {
  std::size_t number = 0;
  for (; at < text.size() && (std::isdigit(text[at]) || text[at] == ','); ++at) {
    if (text[at] != ',') number = 10 * number + static_cast<std::size_t>(text[at] - '0');
  }
  return number;
}

Declared declared_by(const std::string& caption, std::size_t num_all) {
  const std::string drawn = " Drawn: ";
  const std::size_t at = caption.find(drawn);
  if (at == std::string::npos) return {.num_drawn = num_all, .num_all = num_all};
  Declared found{.num_drawn = number_at(caption, at + drawn.size()),
                 .num_all = number_at(caption, caption.find(" of ", at) + 4)};
  const std::string left_out = "Left out: ";
  const std::size_t first = caption.find(left_out, at);
  REQUIRE(first != std::string::npos);
  for (std::size_t next = first + left_out.size();;) {
    found.num_left_out += number_at(caption, next);
    const std::size_t end = caption.find("; ", next);
    if (end == std::string::npos) return found;
    next = end + 2;
  }
}

/// Returns the number of rows that the chart shows. The boxes of a density show rows without marks.
std::size_t num_shown(const Chart& chart, const std::vector<SummaryRow>& rows) {
  const std::set<std::size_t> marked = marked_points(chart, row_records(rows));
  if (has_layer(chart, "density")) {
    std::size_t count = 0;
    for (const json& box : layer_of(chart, "density")["data"]["values"]) {
      count += box["count"].get<std::size_t>();
    }
    return count;
  }
  std::set<std::size_t> shown;
  for (const std::size_t id : marked) shown.insert(chart.points[id].row.value_or(id));
  return shown.size();
}

void check_account(const Chart& chart, const std::vector<SummaryRow>& rows,
                   const Verdict& verdict) {
  const bool is_of_trials = chart.name.starts_with("p_value_qq");
  const std::size_t num_all = is_of_trials ? verdict.rows.size() : rows.size();
  const Declared declared = declared_by(chart.caption, num_all);
  INFO(chart.name << ": " << chart.caption);
  CHECK(declared.num_all == num_all);
  CHECK(declared.num_drawn == num_shown(chart, rows));
  CHECK(declared.num_drawn + declared.num_left_out == num_all);
  CHECK_FALSE(chart_csv(chart, row_records(rows)).empty());
}

/// Checks the table and the charts of a run of the config. Returns the number of charts.
std::size_t check_charts(const Config& config, const ChartChoices& choices = {}) {
  HandMadeRun made;
  made.rows = rows_of_config(config);
  add_trials(made, 20);
  const ChartSet set = make_charts(config, made.rows, made.verdict, choices);
  check_distinct_rows(made.rows);
  for (const Chart& chart : set.charts) {
    check_account(chart, made.rows, made.verdict);
    check_distinct_marks(chart, made.rows);
  }
  return set.charts.size();
}

/// Reads a config. The points do not depend on the contents of key files, so other keys replace the
/// files.
Config config_without_files(const std::filesystem::path& path) {
  json config = json::parse(std::ifstream(path), nullptr, true, true);
  json& keys = config["keys"];
  if (keys.is_object()) keys = json::array({keys});
  if (keys.is_null()) config.erase("keys");
  if (keys.is_array()) {
    for (json& source : keys) {
      if (source.is_object() && source.contains("file")) source = "random";
    }
    std::set<json> distinct(keys.begin(), keys.end());
    keys = distinct;
  }
  return config_from_json(config);
}

}  // namespace

TEST_CASE("charts: every chart of every config draws each row or counts it in its caption",
          "[report]") {
  std::size_t num_configs = 0;
  const std::vector<std::string> all_names(kChartNames.begin(), kChartNames.end());
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kConfigFolder)) {
    const std::filesystem::path& path = entry.path();
    if (path.extension() != ".json" || path.filename() == "schema.json") continue;
    INFO(path.string());
    Config config = config_without_files(path);
    CHECK(check_charts(config) > 0);
    config.charts.clear();
    check_charts(config, {.names = all_names});
    ++num_configs;
  }
  CHECK(num_configs > 20);
}

namespace {

/// Makes random configs of small grids and random requests for charts.
class RandomConfigs {
 public:
  explicit RandomConfigs(unsigned seed) : random_(seed) {}

  json next() {
    json config = {{"name", "random"}, {"queries", pick<int>({100, 10'000, 1'000'000})}};
    if (chance(3)) config["keys"] = {"random", "sequential"};
    if (chance(4)) config["hash"] = {"xxh3", "xxh64"};
    config["grids"] = json::array();
    const int num_grids = pick<int>({1, 1, 2, 3});
    for (int i = 0; i < num_grids; ++i) config["grids"].push_back(grid());
    if (chance(3)) return config;
    const int num_charts = pick<int>({1, 2, 3});
    for (int i = 0; i < num_charts; ++i) config["report"].push_back(chart());
    return config;
  }

 private:
  template <class T>
  T pick(const std::vector<T>& values) {
    return values[random_() % values.size()];
  }

  bool chance(unsigned one_in) { return random_() % one_in == 0; }

  template <class T>
  std::vector<T> some(std::vector<T> values, std::size_t most) {
    std::shuffle(values.begin(), values.end(), random_);
    values.resize(1 + random_() % std::min(most, values.size()));
    std::sort(values.begin(), values.end());
    return values;
  }

  std::string axis_name() {
    return std::string(kChartAxisNames[random_() % kChartAxisNames.size()]);
  }

  json grid() {
    json grid = {{"num_keys", some<int>({0, 1, 10, 50, 100, 300, 1'000, 2'000, 5'000, 20'000}, 8)}};
    if (chance(6)) {
      grid["variant"] = "scalable";
      grid["capacity"] = pick<int>({10, 1'000});
      grid["target_false_positive_rate"] = some<double>({0.1, 0.01, 1e-6}, 3);
      return grid;
    }
    if (chance(2)) grid["capacity"] = pick<int>({1, 100, 1'000, 7'777});
    const bool has_k = !chance(6);
    grid["variant"] = has_k ? json(some<std::string>({"standard", "blocked", "partitioned"}, 3))
                            : json("split_block");
    if (chance(2)) {
      grid["num_bits"] = some<int>({512, 8'192, 65'536, 100'352}, 2);
    } else {
      grid["bits_per_key"] = some<double>({2, 4, 6, 8, 8.001, 10, 12, 16, 20, 30}, 10);
      grid["num_keys"] = some<int>({1, 10, 50, 100, 300, 1'000, 2'000, 5'000, 20'000}, 8);
    }
    if (has_k) {
      const char* best =
          grid.contains("capacity") && chance(2) ? "optimal_at_capacity" : "optimal_at_num_keys";
      grid["num_hashes"] =
          chance(2) ? json(best) : json(some<int>({1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 16}, 11));
    }
    if (has_k && chance(4)) {
      grid["variant"] = "counting";
      grid["churn"] = {{"rounds", pick<int>({1, 5, 25})},
                       {"erase", pick<double>({0.1, 0.5})},
                       {"reinsert", pick<double>({0, 0.1})}};
    }
    return grid;
  }

  json chart() {
    json chart = {{"chart", kChartNames[random_() % kChartNames.size()]}};
    if (chance(2)) chart["x"] = axis_name();
    if (chance(2)) chart["facet"] = chance(4) ? std::string(kNoFacet) : axis_name();
    if (chance(3)) chart["series"] = axis_name();
    if (chance(4)) chart["fix"] = {{"num_hashes", pick<int>({3, 6, 7})}};
    if (chance(8)) chart["fix"]["variant"] = "standard";
    return chart;
  }

  std::mt19937 random_;
};

}  // namespace

TEST_CASE("charts: charts of 200 random configs draw each row or count it in their captions",
          "[report]") {
  RandomConfigs configs(20261128);
  std::size_t num_checked = 0;
  std::size_t num_charts = 0;
  std::set<std::string> complaints;
  for (int attempt = 0; attempt < 1'000 && num_checked < 200; ++attempt) {
    const json config = configs.next();
    INFO(config.dump());
    try {
      num_charts += check_charts(config_from_json(config));
      ++num_checked;
    } catch (const ConfigFileError& error) {  // some combinations are invalid
      complaints.insert(error.what());
    }
  }
  INFO((complaints.empty() ? std::string() : *complaints.begin()));
  CHECK(num_checked == 200);
  CHECK(num_charts > 400);
}
