#include <nlohmann/json.hpp>
#include <string>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/verify/verify_options.hpp"
#include "experiments/subject/claim.hpp"
#include "test_folders.hpp"
#include "tests/experiments/cli/captured_output.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temp_folder.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

VerifySubjectOptions options_for(const std::string& inhabitant) {
  VerifySubjectOptions options;
  options.command = std::string("'") + kZooProgram + "' " + inhabitant;
  options.claim.variant = "standard";
  options.claim.request.num_keys = 10;
  options.claim.request.num_cells = 64;
  options.claim.request.num_hashes = 4;
  return options;
}

std::string failure_of(const VerifySubjectOptions& options) {
  return message_of<ConfigError>([&] { verify_subject_command(options); });
}

}  // namespace

TEST_CASE("verify --subject: JSON has claim, queries and findings", "[cli][subject]") {
  VerifySubjectOptions options = options_for("honest_bits");
  options.json = true;
  options.settings.loads = {1};
  options.settings.sequential = false;
  options.settings.num_filters = 50;
  options.settings.num_queries = 100;
  const CapturedOutput output;
  CHECK(verify_subject_command(options) == kDone);
  const auto answer = nlohmann::json::parse(output.text());
  CHECK(answer.at("accepted") == true);
  CHECK(answer.at("claim").at("num_cells") == 64);
  // The exact rate in model W at n = 10, m = 64, k = 4 (theory 1.7).
  CHECK(answer.at("claim").at("expected_false_positive_rate").get<double>() ==
        Approx(0.0491419).epsilon(1e-6));
  CHECK(answer.at("num_filters") == 50);
  CHECK(answer.at("num_queries") == 5000);
  CHECK(answer.at("num_member_queries") == 500);
  CHECK(answer.at("num_changed_answers") == 0);
  REQUIRE(answer.at("loads").size() == 1);
  const auto load = answer.at("loads").at(0);
  CHECK(load.at("expected_false_positives").get<double>() == Approx(245.71).epsilon(1e-4));
  CHECK(contains_text(load.at("outcome").get<std::string>(), "would detect"));
  CHECK(load.at("fill").is_null());
  CHECK(answer.at("why") == "");
}

TEST_CASE("verify --subject: text gives the reason of a rejection", "[cli][subject]") {
  const CapturedOutput output;
  CHECK(verify_subject_command(options_for("zero_stride")) == kAnswerIsNo);
  CHECK(contains_text(output.text(), "REJECTED: "));
  CHECK(contains_text(output.text(), "n = 10, m = 64, k = 4"));
  CHECK(contains_text(output.text(), "Why: with "));
  CHECK(contains_text(output.text(), "Hint: "));
}

TEST_CASE("verify --subject: undecided exits 1 unless it is allowed", "[cli][subject]") {
  VerifySubjectOptions options = options_for("honest_bits");
  options.settings.num_filters = 2;
  options.settings.num_queries = 10;
  options.settings.loads = {1};
  {
    const CapturedOutput output;
    CHECK(verify_subject_command(options) == kAnswerIsNo);
    CHECK(contains_text(output.text(), "UNDECIDED: "));
  }
  options.allow_undecided = true;
  const CapturedOutput output;
  CHECK(verify_subject_command(options) == kDone);
}

TEST_CASE("verify --subject: JUnit has a testcase for each test", "[cli][subject]") {
  const TempFolder folder;
  VerifySubjectOptions options = options_for("one_probe_fewer fill");
  options.command += " #<&\"";
  options.junit = folder / "report.xml";
  const CapturedOutput output;
  CHECK(verify_subject_command(options) == kAnswerIsNo);
  const std::string xml = read_text(*options.junit);
  CHECK(contains_text(xml, "one_probe_fewer fill #&lt;&amp;&quot;\""));
  CHECK(contains_text(xml, "<testcase classname=\"bloometry.verify\" name=\"members\"/>"));
  CHECK(contains_text(xml, "name=\"repeated answers\"/>"));
  CHECK(contains_text(xml, "<failure message=\"with "));
  options.command = "exit 3";
  CHECK_THROWS_AS(verify_subject_command(options), IoError);
  CHECK(contains_text(read_text(*options.junit),
                      "<error message=\"the subject ended with exit code 3"));
}

TEST_CASE("verify --subject: the best k is computed if k is not given", "[cli][subject]") {
  VerifySubjectOptions options = options_for("honest_bits");
  options.claim.request.num_hashes.reset();
  options.claim.request.num_cells.reset();
  options.claim.request.bits_per_key = 10;
  options.settings.num_filters = 2;
  options.settings.num_queries = 10;
  options.allow_undecided = true;
  options.json = true;
  const CapturedOutput output;
  CHECK(verify_subject_command(options) == kDone);
  const auto claim = nlohmann::json::parse(output.text()).at("claim");
  CHECK(claim.at("num_cells") == 100);
  CHECK(claim.at("num_hashes") == 7);  // the best k from 9.36 to 10.80 bits per key (theory 1.6)
}

TEST_CASE("verify --subject: the counters of a table without counters are not exercised",
          "[cli][subject]") {
  VerifySubjectOptions options = options_for("own_cuckoo");
  options.claim.variant = "cuckoo";
  options.claim.request = {.num_keys = 100, .num_cells = 160};
  options.settings.exercises = {.merge = true, .saturation = true};
  CHECK(failure_of(options) ==
        "--exercise must be merge or erase with --claim cuckoo, got 'saturation': the table has "
        "room for a limited number of copies of a key");
  options = options_for("own_d_left");
  options.claim.variant = "d_left";
  options.claim.request = {.num_keys = 100, .num_cells = 160};
  options.settings.loads = {1};
  options.settings.num_filters = 2;
  options.settings.num_queries = 10;
  options.settings.exercises = {.saturation = true};
  options.allow_undecided = true;
  const CapturedOutput output;
  CHECK(verify_subject_command(options) == kDone);
}

TEST_CASE("verify --subject: a table with more keys than cells is not a claim", "[cli][subject]") {
  VerifySubjectOptions options = options_for("own_cuckoo");
  const std::string variant = GENERATE(as<std::string>{}, "cuckoo", "d_left");
  options.claim.variant = variant;
  options.claim.request = {.num_keys = 2000, .num_cells = 160};
  CHECK(failure_of(options) == "num_keys must be at most the number of cells, 160, got 2000");
}

TEST_CASE("verify --subject: the claim of a table states the width of its fingerprints",
          "[cli][subject]") {
  VerifySubjectOptions options = options_for("own_cuckoo");
  options.claim.variant = "cuckoo";
  options.claim.request = {.num_keys = 1000, .num_cells = 1088};
  options.settings.loads = {1};
  options.settings.num_filters = 2;
  options.settings.num_queries = 10;
  options.allow_undecided = true;
  {
    const CapturedOutput output;
    CHECK(verify_subject_command(options) == kDone);
    CHECK(contains_text(
        output.text(),
        "cuckoo, n = 1,000, m = 1,088, k = 2, bucket_cells = 4, fingerprint_bits = 12\n"));
  }
  options.json = true;
  const auto claim_with = [&options] {
    const CapturedOutput output;
    CHECK(verify_subject_command(options) == kDone);
    return nlohmann::json::parse(output.text()).at("claim");
  };
  options.claim.params = {"fingerprint_bits=16"};
  const auto wide = claim_with();
  CHECK(wide.at("params") == nlohmann::json({{"bucket_cells", 4}, {"fingerprint_bits", 16}}));
  CHECK(wide.at("expected_false_positive_rate").get<double>() ==
        Approx(1000 / (272 / 2 * 65535.0)).epsilon(1e-3));
  // From 1,000 keys with the rate 0.1 %, the filter computes its cells and its width.
  options.claim.params = {};
  options.claim.request = {.num_keys = 1000, .rate = 0.001};
  const auto sized = claim_with();
  CHECK(sized.at("params").at("fingerprint_bits") == 13);
  CHECK(sized.at("expected_false_positive_rate").get<double>() <= 0.001);
}

TEST_CASE("verify --subject: invalid options are refused", "[cli][subject]") {
  VerifySubjectOptions options = options_for("honest_bits");
  options.timeout_s = 0;
  CHECK(contains_text(failure_of(options), "--timeout must be in (0, 1e6] seconds, got 0"));
  options = options_for("honest_bits");
  options.settings.num_queries = 0;
  CHECK(contains_text(failure_of(options), "--queries must be in [1, "));
  options = options_for("honest_bits");
  options.settings.max_member_queries = 0;  // the number of member queries must not be 0
  CHECK(contains_text(failure_of(options), "--member-queries must be in [1, "));
  options = options_for("honest_bits");
  options.settings.loads = {1, 0};
  CHECK(failure_of(options) == "loads must be numbers in [1e-06, 100], got 0");
  options.settings.loads.clear();
  CHECK(failure_of(options) == "loads must have 1 to 16 numbers, got 0");
  options = options_for("honest_bits");
  options.claim.variant = "scalable";
  options.claim.request.rate = 0.01;
  CHECK(contains_text(failure_of(options),
                      "claim must be " + joined_by_or(claimable_variants()) + ", got 'scalable'"));
}
