#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "core/error.hpp"
#include "experiments/cli/sweep/sweep_options.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/verify/verify_options.hpp"
#include "experiments/files/scratch_folder.hpp"
#include "experiments/output/run_folder.hpp"
#include "experiments/report/html_text.hpp"
#include "experiments/report/page_tables.hpp"
#include "tests/experiments/cli/captured_output.hpp"
#include "tests/support/catch.hpp"

namespace fs = std::filesystem;
using namespace bloometry;
using namespace bloometry::test;

namespace {

/// A config of two trials at n = 1000, m = 8000 and k = 3. The second probe scheme is exempt from
/// the statistical tests.
constexpr const char* kConfig = R"({
  "name": "verify_test", "trials": 2, "queries": 20000, "probes": ["remix", "double_mod"],
  "grids": [{"variant": "standard", "num_keys": 1000, "num_bits": 8000, "num_hashes": 3}]})";

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A finished run of a config.
class VerifiedRun {
 public:
  explicit VerifiedRun(const std::string& config = kConfig) {
    write(scratch_.path() / "config.json", config);
    const CapturedOutput output;
    SweepRunOptions options;
    options.config = scratch_.path() / "config.json";
    options.out = folder();
    REQUIRE(sweep_run_command(options) == kDone);
  }

  [[nodiscard]] fs::path config() const { return scratch_.path() / "config.json"; }

  [[nodiscard]] fs::path folder() const { return scratch_.path() / "run"; }

  /// Returns the path of the only part file, which has one line per unit.
  [[nodiscard]] fs::path part() const {
    for (const auto& entry : fs::directory_iterator(folder() / "parts")) {
      if (entry.path().extension() == ".jsonl") return entry.path();
    }
    return {};
  }

  /// Sets the number of false positives of every row to 9,999.
  void plant_false_positives() const { plant("num_false_positives", "9999"); }

  /// Sets the column `column` to `value` in every row, and removes the checksums.
  void plant(const std::string& column, const std::string& value) const {
    std::string lines = read(part());
    const std::string name = "\"" + column + "\":";
    for (std::size_t at = 0; (at = lines.find(name, at)) != lines.npos; ++at) {
      const std::size_t digits = at + name.size();
      lines.replace(digits, lines.find(',', digits) - digits, value);
    }
    write(part(), lines);
    remove_checksums();
  }

  /// Removes the checksum of every line. Version 0.1.0 wrote such lines.
  void remove_checksums() const {
    std::string lines = read(part());
    const std::string checksum = ",\"xxh3_128\":\"";
    for (std::size_t at = 0; (at = lines.find(checksum, at)) != lines.npos;) {
      lines.erase(at, lines.find('}', at) - at);
    }
    write(part(), lines);
  }

 private:
  ScratchFolder scratch_{"bloometry-test-"};
};

nlohmann::json verify_json(const fs::path& target, int expected_code) {
  const CapturedOutput output;
  CHECK(verify_command({.target = target, .json = true}) == expected_code);
  return nlohmann::json::parse(output.text());
}

}  // namespace

TEST_CASE("verify: a correct run is accepted", "[cli][verify]") {
  const VerifiedRun run;
  const nlohmann::json answer = verify_json(run.folder(), kDone);
  CHECK(answer.at("accepted") == true);
  CHECK(answer.at("num_rows") == 4);
  CHECK(answer.at("num_tested_rows") == 2);
  CHECK(answer.at("num_tests") == 6);
  CHECK(answer.at("threshold") == 1e-6 / 6);
  CHECK(answer.at("exempt").at("probes double_mod depart from their model by design") == 2);
  CHECK(answer.at("worst").size() == 4);

  SECTION("its config is run again and accepted") {
    CHECK(verify_json(run.config(), kDone).at("num_rows") == 4);
  }
  SECTION("the text states the verdict and the exempt rows") {
    const CapturedOutput output;
    CHECK(verify_command({.target = run.folder()}) == kDone);
    CHECK(output.text().starts_with("ACCEPTED: "));
    CHECK(output.text().find("2 rows: probes double_mod") != std::string::npos);
    CHECK(output.text().find("Worst rows") != std::string::npos);
  }
}

TEST_CASE("verify: the rows of JSON have their churn", "[cli][verify]") {
  const VerifiedRun run(R"({
    "name": "verify_test", "queries": 1000,
    "grids": [{"variant": "counting", "num_keys": 100, "num_counters": 800, "num_hashes": 3,
               "churn": {"rounds": 2, "erase": 0.3}},
              {"variant": "standard", "num_keys": 100, "num_bits": 800, "num_hashes": 3}]})");
  const nlohmann::json answer = verify_json(run.folder(), kDone);
  REQUIRE(answer.at("worst").size() == 2);
  for (const nlohmann::json& row : answer.at("worst")) {
    const bool has_churn = row.at("variant") == "counting";
    CHECK(row.at("churn_rounds") == (has_churn ? 2 : 0));
    CHECK(row.at("churn_erase") == (has_churn ? 0.3 : 0.0));
    CHECK(row.at("churn_reinsert") == 0);
    CHECK(row.at("churn_wrongful_erases") == 0);
  }
}

TEST_CASE("verify: the rows of JSON have their window", "[cli][verify]") {
  const VerifiedRun run(R"({
    "name": "verify_test", "queries": 1000,
    "grids": [{"variant": "counting", "num_keys": 500, "num_counters": 4000, "num_hashes": 3,
               "window": {"size": 40, "unit": "keys", "reinsert": 0.25, "erase": 0.5}},
              {"variant": "standard", "num_keys": 100, "num_bits": 800, "num_hashes": 3}]})");
  const nlohmann::json answer = verify_json(run.folder(), kDone);
  CHECK(answer.at("num_window_violations") == 0);
  CHECK(answer.at("expired_tests_skipped").empty());
  REQUIRE(answer.at("worst").size() == 2);
  for (const nlohmann::json& row : answer.at("worst")) {
    const bool has_window = row.at("variant") == "counting";
    REQUIRE(row.contains("window_size") == has_window);
    REQUIRE(row.contains("expired_p_value") == has_window);
    if (!has_window) continue;
    CHECK(row.at("window_size") == 40);
    CHECK(row.at("window_unit") == "keys");
    CHECK(row.at("window_reinsert") == 0.25);
    CHECK(row.at("window_erase") == 0.5);
    CHECK(row.at("num_window_violations") == 0);
    CHECK(row.at("num_expired_retained") < row.at("num_expired_queries"));
    CHECK(row.at("expired_p_value").is_number());
  }
}

TEST_CASE("verify: the rows of JSON have their stream of items", "[cli][verify]") {
  const VerifiedRun run(R"({
    "name": "verify_test", "queries": 1000,
    "grids": [{"variant": "counting", "num_keys": 5000, "num_counters": 4000, "num_hashes": 3,
               "stream": {"zipf": 1, "num_distinct": 2000, "clear_every": 400}},
              {"variant": "standard", "num_keys": 100, "num_bits": 800, "num_hashes": 3}]})");
  const nlohmann::json answer = verify_json(run.folder(), kDone);
  CHECK(answer.at("num_lost_duplicates") == 0);
  REQUIRE(answer.at("worst").size() == 2);
  for (const nlohmann::json& row : answer.at("worst")) {
    const bool has_stream = row.at("variant") == "counting";
    REQUIRE(row.contains("stream_zipf") == has_stream);
    REQUIRE(row.contains("num_originals") == has_stream);
    if (!has_stream) continue;
    CHECK(row.at("stream_num_distinct") == 2000);
    CHECK(row.at("stream_insert") == "passed");
    CHECK(row.at("stream_clear_every") == 400);
    CHECK(row.at("num_duplicates_passed") > 0);
    CHECK(row.at("num_held_duplicates") > 0);
    CHECK(row.at("num_lost_duplicates") == 0);
  }
}

TEST_CASE("verify: a run with only exempt rows has the verdict nothing tested", "[cli][verify]") {
  const ScratchFolder scratch("bloometry-test-");
  const fs::path config = scratch.path() / "config.json";
  write(config, R"({"name": "exempt", "queries": 1000, "probes": ["double_mod"],
    "grids": [{"variant": "standard", "num_keys": 100, "num_bits": 1000, "num_hashes": 3}]})");
  const nlohmann::json answer = verify_json(config, kAnswerIsNo);
  CHECK(answer.at("verdict") == "nothing tested");
  CHECK(answer.at("accepted") == false);
}

TEST_CASE("verify: a run with a missing unit is not accepted", "[cli][verify]") {
  const VerifiedRun run;
  const std::string lines = read(run.part());
  write(run.part(), lines.substr(0, lines.find('\n') + 1));
  nlohmann::json manifest = nlohmann::json::parse(read(run.folder() / "manifest.json"));
  manifest.erase("hashes");  // as if the process had been killed
  write(run.folder() / "manifest.json", manifest.dump());
  const nlohmann::json answer = verify_json(run.folder(), kAnswerIsNo);
  CHECK(answer.at("accepted") == false);
  CHECK(answer.at("num_missing_units") == 3);
  const CapturedOutput output;
  CHECK(verify_command({.target = run.folder()}) == kAnswerIsNo);
  CHECK(output.text().starts_with("INCOMPLETE: "));
  CHECK(answer.at("verdict") == "incomplete");
  CHECK(output.text().find("The run is not complete") != std::string::npos);
}

TEST_CASE("verify: a run with a file that differs from its hash is not accepted", "[cli][verify]") {
  const VerifiedRun run;
  const auto state = [&](std::size_t file, int expected_code) {
    return verify_json(run.folder(), expected_code).at("files").at(file).at("state");
  };
  CHECK(state(0, kDone) == "intact");
  CHECK(state(1, kDone) == "intact");

  SECTION("a part that is still readable") {
    run.remove_checksums();
    CHECK(state(0, kAnswerIsNo) == "changed");
    const CapturedOutput output;
    CHECK(verify_command({.target = run.folder()}) == kAnswerIsNo);
    CHECK(output.text().starts_with("ALTERED: "));
    CHECK(output.text().find("parts/000001.jsonl: changed, differs from its hash") !=
          std::string::npos);
  }
  SECTION("trials.csv") {
    write(run.folder() / "trials.csv", "");
    CHECK(state(1, kAnswerIsNo) == "changed");
  }
  SECTION("a missing trials.csv is accepted, because it can be written again") {
    fs::remove(run.folder() / "trials.csv");
    CHECK(state(1, kDone) == "absent");
  }
}

TEST_CASE("verify: deviating rows are printed with the reason", "[cli][verify]") {
  const VerifiedRun run;
  run.plant_false_positives();
  CHECK(verify_json(run.folder(), kAnswerIsNo).at("num_deviations") == 2);
  const CapturedOutput output;
  CHECK(verify_command({.target = run.folder()}) == kAnswerIsNo);
  CHECK(output.text().find("Deviations:") != std::string::npos);
  CHECK(output.text().find(
            "false positives: 9,999 of 20,000 absent keys tested positive, expected") !=
        std::string::npos);
}

TEST_CASE("verify: the table has a column of false negatives if there are any", "[cli][verify]") {
  const VerifiedRun run;
  const auto table = [&] {
    const CapturedOutput output;
    (void)verify_command({.target = run.folder()});
    return output.text().substr(output.text().find("\nWorst rows"));
  };
  CHECK(table().find("false negatives") == std::string::npos);
  run.plant("num_false_negatives", "17");
  const std::string denied = table();
  CHECK(denied.starts_with("\nWorst rows (false negatives, then smallest p-values):\n"));
  std::istringstream lines(denied);
  std::string line;
  while (line.find("filter") != 0 && line.find(" filter") == std::string::npos) {
    REQUIRE(std::getline(lines, line));
  }
  const std::size_t end = line.find("false negatives") + std::string("false negatives").size();
  REQUIRE(std::getline(lines, line));
  CHECK(line.substr(0, end).ends_with(" 17"));
}

TEST_CASE("verify: deviations are listed in the words of the report", "[cli][verify]") {
  const VerifiedRun run(R"({
    "name": "verify_test", "trials": 3, "queries": 20000, "grids": [
      {"variant": ["standard", "blocked"], "num_keys": [1000, 2000], "bits_per_key": 8,
       "num_hashes": [3, 4]}]})");
  run.plant_false_positives();
  const CapturedOutput output;
  CHECK(verify_command({.target = run.folder()}) == kAnswerIsNo);
  std::istringstream lines(output.text().substr(output.text().find("Deviations:\n")));
  std::string rows;
  std::string row;
  std::string why;
  std::getline(lines, row);
  while (std::getline(lines, row) && !row.empty() && std::getline(lines, why)) {
    rows += "<tr><td>" + report::escape_html(row.substr(2)) + "</td><td>" +
            report::escape_html(why.substr(6)) + "</td></tr>";
  }
  const std::string table = report::deviations_table(judge(read_run(run.folder()), 1e-6));
  const std::size_t begin = table.find("<tbody>") + 7;
  CHECK(table.substr(begin, table.find("</tbody>") - begin) == rows);
  CHECK(rows.starts_with("<tr><td>blocked, trial 0: n = 1,000, m = "));
  CHECK(rows.find("<tr><td>standard, trial 2: n = 2,000, m = 16,000, k = 4</td>") != rows.npos);
}

TEST_CASE("verify: a target that is neither a run nor a config is refused", "[cli][verify]") {
  CHECK_THROWS_AS(verify_command({.target = "/no/such/folder"}), ConfigError);
  const VerifiedRun run;
  fs::remove(run.folder() / "config.json");
  CHECK_THROWS_AS(verify_command({.target = run.folder()}), ConfigError);
  CHECK_THROWS_AS(verify_command({.target = run.config(), .false_alarm = 2}), ConfigError);
}
