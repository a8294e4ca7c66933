#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/probe/all_probes.hpp"
#include "experiments/cli/command_line/point_options.hpp"
#include "experiments/cli/size/emit.hpp"
#include "experiments/cli/size/size_options.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "tests/experiments/cli/captured_output.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "variants/foreign/parquet_sbbf/parquet_sbbf_theory.hpp"
#include "variants/registry/registry.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

PointOptions emitting(const std::string& what) {
  PointOptions options;
  options.request.num_keys = 1'000'000;
  options.request.rate = 0.01;
  options.emit = what;
  return options;
}

std::string emitted(const PointOptions& options) {
  const CapturedOutput output;
  REQUIRE(size_command(options) == kDone);
  return output.text();
}

std::string refusal_of(const PointOptions& options) {
  return message_of<ConfigError>([&] { static_cast<void>(size_command(options)); });
}

nlohmann::json sized(PointOptions options) {
  options.emit.clear();
  options.variant.clear();
  options.json = true;
  return nlohmann::json::parse(emitted(options)).at("answers");
}

struct SchemeClass {
  std::string_view scheme;
  std::string_view name;  ///< name of the class in C++
};

/// Returns the name of a class. The function compiles only if the class exists.
#define SCHEME_CLASS(Probes) \
  SchemeClass {              \
    Probes::kName, #Probes   \
  }

constexpr std::array kSchemeClasses = {SCHEME_CLASS(RemixProbes),
                                       SCHEME_CLASS(IndependentProbes),
                                       SCHEME_CLASS(DistinctProbes),
                                       SCHEME_CLASS(DoubleModProbes),
                                       SCHEME_CLASS(DoubleModOddProbes),
                                       SCHEME_CLASS(DoubleModAnyProbes),
                                       SCHEME_CLASS(DoubleFastrangeProbes),
                                       SCHEME_CLASS(DoubleFastrangeOddProbes),
                                       SCHEME_CLASS(EnhancedDoubleModProbes),
                                       SCHEME_CLASS(EnhancedDoubleModOddProbes),
                                       SCHEME_CLASS(EnhancedDoubleFastrangeProbes),
                                       SCHEME_CLASS(TripleModProbes)};

#undef SCHEME_CLASS

std::string class_of(std::string_view scheme) {
  for (const SchemeClass& known : kSchemeClasses) {
    if (known.scheme == scheme) return std::string(known.name);
  }
  return "no class for " + std::string(scheme);
}

}  // namespace

TEST_CASE("emit: the class of a scheme exists, for every variant and scheme", "[cli][emit]") {
  for (const VariantInfo& variant : all_variant_infos()) {
    for (const SchemeInfo& scheme : variant.schemes) {
      if (scheme.name == variant.schemes.front().name) continue;
      const SizeAnswer answer{.variant = variant.name,
                              .probes = scheme.name,
                              .num_keys = 1,
                              .num_cells = 512,
                              .num_hashes = 1,
                              .rate = 0.01};
      CHECK(contains_text(emitted_cpp({answer, "", ""}),
                          "<bloometry::" + class_of(scheme.name) + ">> seen(spec)"));
    }
  }
}

TEST_CASE("emit: the C++ has the m and k of the sized filter, for every variant", "[cli][emit]") {
  PointOptions options = emitting("cpp");
  for (const auto& answer : sized(options)) {
    options.variant = answer.at("variant");
    const std::string text = emitted(options);
    INFO(text);
    CHECK(contains_text(text, "variants/" + options.variant + "/" + options.variant + "_filter"));
    if (answer.at("num_hashes").is_null()) {
      CHECK(contains_text(text, "{.capacity = 1000000, .target_false_positive_rate = 0.01};"));
      continue;
    }
    const std::string cells = answer.at("num_cells").dump();
    const char* field = answer.at("cell_bits") == 1 ? "{.num_bits = " : "{.num_counters = ";
    CHECK(contains_text(text, field + cells + ", .num_hashes = " + answer.at("num_hashes").dump()));
    const nlohmann::json& guaranteed_by = answer.at("guaranteed_by");
    CHECK(contains_text(
        text, "(" + (guaranteed_by.is_null() ? "model" : guaranteed_by.get<std::string>()) + ")"));
  }
}

TEST_CASE(
    "emit: without --variant the best variant that meets the needs is emitted, with the reason",
    "[cli][emit]") {
  PointOptions options = emitting("cpp");
  CHECK(contains_text(emitted(options), "Keyed<bloometry::StandardFilter>"));
  CHECK(contains_text(emitted(options), "// Of all variants, the one with the least memory;"));
  SECTION("least memory") {
    options.request.needs = {"erase", "cache-line"};
    const std::string text = emitted(options);
    CHECK(contains_text(text, "Keyed<bloometry::CuckooFilter>"));
    CHECK(contains_text(text, "--needs erase, cache-line, the one with the least memory"));
  }
  SECTION("lowest rate if the size is given") {
    options.request.rate.reset();
    options.request.num_bits =
        8'388'608 + 100;  // a filter with blocks would not use all of these bits
    const std::string text = emitted(options);
    CHECK(contains_text(text, "Keyed<bloometry::StandardFilter>"));
    CHECK(contains_text(text, "the one with the lowest rate"));
  }
  SECTION("most keys if the number of keys is not given") {
    options.request.num_keys.reset();
    options.request.num_bits = 8'388'608;
    CHECK(contains_text(emitted(options), "the one with the most keys"));
  }
  SECTION("no reason if a variant is given") {
    options.variant = "partitioned";
    CHECK_FALSE(contains_text(emitted(options), "the one with"));
  }
}

TEST_CASE("emit: the C++ has the class of the requested scheme", "[cli][emit]") {
  PointOptions options = emitting("cpp");
  options.request.rate = 1e-14;
  options.request.probes = "independent";
  const std::string text = emitted(options);
  INFO(text);
  CHECK(contains_text(
      text, "Keyed<bloometry::BasicStandardFilter<bloometry::IndependentProbes>> seen(spec)"));
  CHECK(contains_text(text,
                      "// Of the variants that have the scheme independent, the one with the "));
  CHECK(contains_text(text, "p <= 1e-14, probes independent.\n"));
  SECTION("and the default class for the name of the default scheme") {
    options.request.rate = 0.01;
    options.request.probes = "remix";
    CHECK(contains_text(emitted(options), "Keyed<bloometry::StandardFilter> seen(spec)"));
  }
  SECTION("unless the variant does not have it") {
    options.variant = "split_block";
    CHECK(refusal_of(options) ==
          "--probes of split_block must be one of parquet_salts, got 'independent'");
  }
}

TEST_CASE("emit: the C++ has the parameters of the request", "[cli][emit]") {
  PointOptions options = emitting("cpp");
  options.params = {"semi_sorting=1"};
  const std::string text = emitted(options);
  INFO(text);
  CHECK(contains_text(text, "Keyed<bloometry::CuckooFilter> seen(spec)"));
  CHECK(contains_text(text, "{\"semi_sorting\", 1.0}"));
  CHECK(
      contains_text(text, "the variants that have the parameter semi_sorting, the one with the "));
  SECTION("and those of the given variant") {
    options.variant = "scalable";
    options.params = {"stages=lanes", "growth_factor=4"};
    CHECK(contains_text(emitted(options),
                        R"({{"growth_factor", 4.0}, {"stages", std::string("lanes")}})"));
  }
  SECTION("unless the given variant does not have it") {
    options.variant = "counting";
    CHECK(refusal_of(options) ==
          "--param of counting must be one of counter_bits, saturation, got 'semi_sorting'");
  }
  SECTION("unless the code is for another program") {
    options.emit = "guava";
    CHECK(refusal_of(options) == "--param must be left out with --emit guava");
  }
}

TEST_CASE("emit: cmake builds main.cpp with the library", "[cli][emit]") {
  const std::string text = emitted(emitting("cmake"));
  CHECK(contains_text(text, "# m = 9,592,957 bits (1.144 MiB), k = 7.\n"));
  CHECK(contains_text(text, "target_link_libraries(sized_filter PRIVATE bloometry::filters)\n"));
}

TEST_CASE("emit: guava has the m and k of Guava, and no exact rate", "[cli][emit]") {
  PointOptions options = emitting("guava");
  const std::string text = emitted(options);
  CHECK(contains_text(text, "m = 9,585,088 bits (1.143 MiB), k = 7.\n"));
  CHECK(contains_text(text, ", 1000000L, 0.01);\n"));
  CHECK(contains_text(text, "// Not exact: probes are double hashing"));
  CHECK_FALSE(contains_text(text, "later releases"));
  options.request.num_keys = 1;
  CHECK(contains_text(emitted(options), "k = 6 from m / n; later releases take k = 7 from p."));
}

TEST_CASE(
    "emit: parquet states the bytes and the expected rate, and raises the limit of parquet-java",
    "[cli][emit]") {
  PointOptions options = emitting("parquet");
  const std::string text = emitted(options);
  CHECK(predict_parquet_sbbf(65'536, 1'000'000).expected->rate == Approx(0.001034577881));
  CHECK(contains_text(text, "2,097,152 bytes (2 MiB), a power of two"));
  CHECK(contains_text(text, "with these values: 0.00103458 (model of independent lanes).\n"));
  CHECK(contains_text(text, "\nparquet.bloom.filter.expected.ndv#COLUMN=1000000\n"));
  CHECK(contains_text(text, "\nparquet.bloom.filter.fpp#COLUMN=0.01\n"));
  CHECK(contains_text(text, "\nparquet.bloom.filter.max.bytes=2097152\n"));
  SECTION("the limit is at least the default") {
    options.request.num_keys = 1000;
    CHECK(contains_text(emitted(options), "\nparquet.bloom.filter.max.bytes=1048576\n"));
  }
  SECTION("a rate above p is stated") {
    options.request.num_keys = 1'000'000'000;
    CHECK(contains_text(emitted(options), ", above p.\n"));
  }
}

TEST_CASE("emit: missing and superfluous options are refused in one line", "[cli][emit]") {
  PointOptions options = emitting("guava");
  SECTION("n and p are missing") {
    options.request.rate.reset();
    CHECK(refusal_of(options) == "-p must be given with --emit guava: the target rate, like 0.01");
    options.request.num_keys.reset();
    options.request.rate = 0.01;
    CHECK(refusal_of(options) ==
          "-n must be given with --emit guava: the number of keys, like 1e6");
  }
  SECTION("options that other programs do not have") {
    options.request.num_hashes = 3;
    options.request.needs = {"erase"};
    options.request.probes = "remix";
    options.variant = "standard";
    CHECK(refusal_of(options) ==
          "-k must be left out with --emit guava; --needs must be left out with --emit guava; "
          "--probes must be left out with --emit guava; --variant must be left out with --emit "
          "guava");
  }
  SECTION("--json") {
    options.json = true;
    CHECK(refusal_of(options) == "--json must be left out with --emit");
  }
  SECTION("unknown target, unknown variant") {
    options.emit = "java";
    CHECK(refusal_of(options) == "--emit must be one of cpp, cmake, guava, parquet, got 'java'");
    options.emit = "cpp";
    options.variant = "nosuch";
    CHECK(contains_text(refusal_of(options), "variant must be one of standard, "));
  }
  SECTION("--variant without --emit") {
    options.emit.clear();
    options.variant = "standard";
    CHECK(contains_text(refusal_of(options), "--variant must be left out without --emit"));
  }
}

TEST_CASE("emit: a filter that cannot be sized prints nothing", "[cli][emit]") {
  PointOptions options = emitting("cpp");
  options.request.rate.reset();
  options.request.num_cells = 10'000'000;
  options.variant = "scalable";
  const CapturedOutput output;
  CHECK(size_command(options) == kAnswerIsNo);
  CHECK(output.text().empty());
}
