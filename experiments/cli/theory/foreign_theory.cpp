#include "experiments/cli/theory/foreign_theory.hpp"

#include <fmt/core.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "experiments/cli/terminal/fitted_lines.hpp"
#include "experiments/cli/terminal/message.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/cli/theory/prediction_output.hpp"
#include "experiments/text/closest.hpp"
#include "experiments/text/number_text.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

using nlohmann::ordered_json;

/// Throws ConfigError for options that apply only to variants of this library.
void require_no_variant_options(const ForeignFormat& format, const PointOptions& options) {
  ProblemCollector problems;
  const auto refuse = [&](bool is_given, const char* option) {
    if (!is_given) return;
    problems.collect([&] {
      throw ConfigError(fmt::format("{} must be left out with {}, a format of another program",
                                    option, format.name));
    });
  };
  refuse(options.request.num_blocks.has_value(), "--num-blocks");
  refuse(options.request.bits_per_key.has_value(), "--bits-per-key");
  refuse(!options.probe_model.empty(), "--probe-model");
  refuse(!options.request.probes.empty(), "--probes");
  refuse(!options.params.empty(), "--param");
  problems.throw_if_any();
}

/// Returns the error with -p in place of the sizes that the format computed from -p.
ConfigError in_terms_of_rate(const ConfigError& error, double rate) {
  std::vector<Problem> problems = error.problems();
  for (Problem& problem : problems) {
    const bool is_k = problem.field == "num_hashes";
    if (is_k || problem.field == "num_bits") {
      problem = {.field = "rate",
                 .text = fmt::format("must be larger{}, got {}: the computed {}{}",
                                     is_k ? "" : ", or -n smaller", rounded(rate, 10),
                                     is_k ? "k " : "m ", problem.text)};
    } else if (problem.text.starts_with("must be left out")) {
      problem.text += "; give -m instead, e.g. -m 1MiB";
    }
  }
  return ConfigError(std::move(problems));
}

ForeignSizes sizes_of(const ForeignFormat& format, const SizeRequest& request) {
  const std::optional<std::uint64_t> num_bits = size_in_bits(request);
  if (num_bits.has_value() == request.rate.has_value()) {
    throw ConfigError(request.rate ? "exactly one of -m and -p must be given, got both"
                                   : "exactly one of -m and -p must be given, got none");
  }
  if (request.rate) {
    if (request.num_hashes) {
      throw ConfigError("num_hashes", "must be left out with -p, which determines this value");
    }
    try {
      return format.sizes_for(*request.num_keys, *request.rate);
    } catch (const ConfigError& error) {
      throw in_terms_of_rate(error, *request.rate);
    }
  }
  const std::optional<unsigned> num_hashes =
      request.num_hashes ? request.num_hashes : format.fixed_num_hashes;
  if (!num_hashes) {
    throw ConfigError("num_hashes", "must be given with -m: the number of hashes");
  }
  return format.checked({.num_bits = *num_bits, .num_hashes = *num_hashes});
}

void print_json(const ForeignFormat& format, const SizeRequest& request, const ForeignSizes& sizes,
                const Prediction& prediction) {
  ordered_json json = {
      {"format", format.name}, {"program", format.program}, {"num_keys", *request.num_keys}};
  if (request.rate) json["target_false_positive_rate"] = *request.rate;
  if (request.rate && format.grows) json["initial_capacity"] = *request.num_keys;
  json["num_bits"] = sizes.num_bits;
  json["num_hashes"] = sizes.num_hashes;
  add_prediction(json, prediction);
  if (!prediction.exact) {
    json["why_no_exact_rate"] =
        prediction.expected ? prediction.expected->why_not_exact : format.why_no_exact_rate;
  }
  if (!format.exact_for.empty()) json["exact_for"] = format.exact_for;
  std::cout << json.dump(2) << '\n';
}

void print_text(const ForeignFormat& format, const SizeRequest& request, const ForeignSizes& sizes,
                const Prediction& prediction) {
  const FittedLines fitted(std::cout);
  std::cout << format.name << " (" << format.program << "): " << plural(*request.num_keys, "key");
  if (request.rate) std::cout << ", p = " << rounded(*request.rate, 10);
  if (request.rate && format.grows) {
    std::cout << ", initial capacity " << plural(*request.num_keys, "key");
  }
  std::cout << ", " << text_of(sizes) << '\n';
  if (request.rate && !format.size_note.empty()) std::cout << "  " << format.size_note << '\n';
  print_prediction(prediction, *request.num_keys);
  if (!prediction.exact && !prediction.expected)
    std::cout << "the exact rate is unknown: " << format.why_no_exact_rate << '\n';
  if (!format.exact_for.empty()) std::cout << "the exact rate is for " << format.exact_for << '\n';
}

}  // namespace

std::string text_of(const ForeignSizes& sizes) {
  return fmt::format("m = {} ({}), k = {}", plural(sizes.num_bits, "bit"),
                     memory_text(sizes.num_bits), sizes.num_hashes);
}

void warn_of_limited_size(const ForeignFormat& format, std::uint64_t num_keys, double rate) {
  const std::optional<double> limited = rate_of_limited_size(format, num_keys, rate);
  if (!limited) return;
  print_message(fmt::format(
      "warning: {} limits m to {} bits; with {} the rate is {}, above the target rate of {}",
      format.name, grouped(*format.max_num_bits), plural(num_keys, "key"), rounded(*limited, 4),
      rounded(rate, 10)));
}

const ForeignFormat* requested_format(std::string_view name) {
  if (const ForeignFormat* format = find_foreign_format(name)) return format;
  std::vector<std::string> names;
  for (const VariantInfo& variant : all_variant_infos()) {
    if (variant.name == name) return nullptr;
    names.emplace_back(variant.name);
  }
  for (const ForeignFormat& format : foreign_formats()) names.emplace_back(format.name);
  throw ConfigError("variant",
                    fmt::format("must be one of {}, or a format of another program, {}, got '{}'{}",
                                names_of(all_variant_infos()), names_of(foreign_formats()), name,
                                suggestion(name, names)));
}

int foreign_theory_command(const ForeignFormat& format, const PointOptions& options) {
  const SizeRequest& request = options.request;
  ProblemCollector problems;
  problems.collect([&] { require_no_variant_options(format, options); });
  problems.collect([&] {
    if (request.num_keys) return;
    throw ConfigError("num_keys", "must be given: the number of keys, like 1e6");
  });
  problems.throw_if_any();
  const ForeignSizes sizes = sizes_of(format, request);
  const Prediction prediction = format.predict(sizes, *request.num_keys);
  if (options.json) {
    print_json(format, request, sizes, prediction);
  } else {
    print_text(format, request, sizes, prediction);
  }
  if (request.rate) warn_of_limited_size(format, *request.num_keys, *request.rate);
  return kDone;
}

}  // namespace bloometry
