#include "experiments/cli/theory/requested_filter.hpp"

#include <string>

#include "core/error.hpp"
#include "experiments/cli/command_line/point_options.hpp"
#include "experiments/cli/theory/theory_options.hpp"
#include "tests/experiments/cli/captured_output.hpp"
#include "tests/experiments/cli/theory/theory_output.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"

using namespace bloometry;
using namespace bloometry::test;

TEST_CASE("theory: unsupported options are refused by name", "[cli][theory]") {
  const CapturedOutput output;
  PointOptions options = point("standard", 10, 64, 3);
  const auto refuses = [&](const std::string& words) {
    const std::string message = message_of<ConfigError>([&] { theory_command(options); });
    INFO(message);
    CHECK(contains_text(message, words));
  };
  SECTION("a variant that is none") {
    options.variant = "morton";
    refuses("variant must be one of standard");
  }
  SECTION("no n") {
    options.request.num_keys.reset();
    refuses("num_keys must be given: the number of keys, like 1e6");
  }
  SECTION("two sizes") {
    options.request.rate = 0.1;
    refuses("exactly one of -m, --memory, --bits-per-key and -p must be given, got -m, -p");
  }
  SECTION("no size") {
    options.request.num_cells.reset();
    refuses("must be given, got none");
  }
  SECTION("k out of range") {
    options.request.num_hashes = 65;
    refuses("num_hashes must be in [1, 64], got 65");
  }
  SECTION("k outside the variant's range") {
    options.variant = "blocked";
    options.request.num_cells = 10'240;
    options.request.num_hashes = GENERATE(0U, 17U);
    refuses("num_hashes must be in [1, 16], got " + std::to_string(*options.request.num_hashes));
    options.variant = "split_block";
    refuses("num_hashes must be 8, got " + std::to_string(*options.request.num_hashes));
  }
  SECTION("a parameter given as the size") {
    options.variant = "split_block";
    options.request.num_hashes = 8;
    options.params = {"num_blocks=40000"};
    refuses("--param num_blocks must be given as --num-blocks");
  }
  SECTION("k above m in models D and P") {
    options.request.num_cells = 2;
    options.probe_model = GENERATE(as<std::string>{}, "D", "P");
    refuses("must be at most");
  }
  SECTION("a probe model that the variant does not support") {
    options.variant = "variable_increment";
    options.probe_model = "D";
    refuses("--probe-model of variable_increment must be W, got 'D'");
  }
  SECTION("a scheme that the variant has not") {
    options.variant = "split_block";
    options.request.probes = "independent";
    refuses("--probes of split_block must be one of parquet_salts, got 'independent'");
  }
  SECTION("a scheme and a model") {
    options.request.probes = "distinct";
    options.probe_model = "D";
    refuses("--probe-model must be left out with --probes, which determines the model");
  }
  SECTION("an unknown parameter") {
    options.params = {"counter_bits=4"};
    refuses(
        "--param must be left out for standard, which does not have parameters, got "
        "'counter_bits'");
    options.variant = "counting";
    options.params = {"foo=4"};
    refuses("--param of counting must be one of counter_bits, saturation, got 'foo'");
  }
  SECTION("a parameter out of range") {
    options.variant = "counting";
    options.params = {"counter_bits=17"};
    refuses("--param counter_bits must be a whole number in [1, 16], got 17");
  }
  SECTION("a parameter without value") {
    options.params = {"counter_bits"};
    refuses("--param must be name=value, got 'counter_bits'");
  }
  SECTION("a parameter twice") {
    options.variant = "counting";
    options.params = {"counter_bits=4", "counter_bits=5"};
    refuses("got 2 values");
  }
  CHECK(output.text().empty());
}
