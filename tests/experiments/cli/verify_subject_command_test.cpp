#include <nlohmann/json.hpp>
#include <string>

#include "core/error.hpp"
#include "experiments/cli/commands.hpp"
#include "test_folders.hpp"
#include "tests/experiments/cli/captured_output.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

VerifySubjectOptions options_for(const std::string& inhabitant) {
  VerifySubjectOptions options;
  options.command = std::string("'") + kZooProgram + "' " + inhabitant;
  options.claim.variant = "standard";
  options.claim.num_keys = 10;
  options.claim.num_cells = 64;
  options.claim.num_hashes = 4;
  return options;
}

std::string failure_of(const VerifySubjectOptions& options) {
  return message_of<ConfigError>([&] { verify_subject_command(options); });
}

}  // namespace

TEST_CASE("verify --subject: JSON says what was claimed, asked and found", "[cli][subject]") {
  VerifySubjectOptions options = options_for("honest_bits");
  options.json = true;
  options.settings.num_filters = 50;
  options.settings.num_queries = 100;
  const CapturedOutput output;
  CHECK(verify_subject_command(options) == kDone);
  const auto answer = nlohmann::json::parse(output.text());
  CHECK(answer.at("accepted") == true);
  CHECK(answer.at("claim").at("num_cells") == 64);
  // Exact W at (10, 64, 4), theory 1.7.
  CHECK(answer.at("claim").at("expected_false_positive_rate").get<double>() ==
        Approx(0.0491419).epsilon(1e-6));
  CHECK(answer.at("num_filters") == 50);
  CHECK(answer.at("num_queries") == 5000);
  CHECK(answer.at("num_member_queries") == 500);
  CHECK(answer.at("expected_false_positives").get<double>() == Approx(245.71).epsilon(1e-4));
  CHECK(answer.at("detected_factor_above").get<double>() > 1);
  CHECK(answer.at("why") == "");
}

TEST_CASE("verify --subject: text gives the reason of a rejection", "[cli][subject]") {
  VerifySubjectOptions options = options_for("zero_stride");
  options.settings.sequential = true;
  const CapturedOutput output;
  CHECK(verify_subject_command(options) == kAnswerIsNo);
  CHECK(contains_text(output.text(), "REJECTED: "));
  CHECK(contains_text(output.text(), "n = 10, m = 64, k = 4"));
  CHECK(contains_text(output.text(), "Why: "));
  CHECK(contains_text(output.text(), "the evidence against the claim"));
}

TEST_CASE("verify --subject: the best k is worked out where none is given", "[cli][subject]") {
  VerifySubjectOptions options = options_for("honest_bits");
  options.claim.num_hashes.reset();
  options.claim.num_cells.reset();
  options.claim.bits_per_key = 10;
  options.settings.num_filters = 2;
  options.settings.num_queries = 10;
  options.json = true;
  const CapturedOutput output;
  CHECK(verify_subject_command(options) == kDone);
  const auto claim = nlohmann::json::parse(output.text()).at("claim");
  CHECK(claim.at("num_cells") == 100);
  CHECK(claim.at("num_hashes") == 7);  // as theory 1.6: the best between 9.36 and 10.80 bits a key
}

TEST_CASE("verify --subject: refuses what cannot be", "[cli][subject]") {
  VerifySubjectOptions options = options_for("honest_bits");
  options.timeout_s = 0;
  CHECK(contains_text(failure_of(options), "--timeout must be in (0, 1e6] seconds, got 0"));
  options = options_for("honest_bits");
  options.settings.num_queries = 0;
  CHECK(contains_text(failure_of(options), "--queries must be in [1, "));
  options = options_for("honest_bits");
  options.settings.max_member_queries = 0;  // members are always asked for
  CHECK(contains_text(failure_of(options), "--member-queries must be in [1, "));
  options = options_for("honest_bits");
  options.claim.variant = "scalable";
  options.claim.rate = 0.01;
  CHECK(contains_text(failure_of(options), "--claim must be standard, counting or partitioned"));
}
