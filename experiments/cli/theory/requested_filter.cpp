#include "experiments/cli/theory/requested_filter.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/rates/sizing.hpp"
#include "core/text.hpp"
#include "experiments/cli/command_line/param_options.hpp"
#include "experiments/text/number_text.hpp"
#include "variants/registry/requested_filter.hpp"
#include "variants/registry/sizing.hpp"

namespace bloometry {
namespace {

/// Returns the probe models that the variant's theory accepts.
std::string models_of(const VariantInfo& variant) {
  std::string models;
  for (const SchemeInfo& scheme : variant.schemes) {
    const char model = static_cast<char>(scheme.model);
    if (models.find(model) == std::string::npos) models.push_back(model);
  }
  if (variant.has_partitioned_theory) models.push_back('P');
  return models;
}

ProbeModel parse_model(const VariantInfo& variant, const std::string& text) {
  const std::string models = models_of(variant);
  if (text.size() == 1 && models.find(text.front()) != std::string::npos) {
    return static_cast<ProbeModel>(text.front());
  }
  std::vector<std::string> allowed;
  for (const char model : models) allowed.emplace_back(1, model);
  throw ConfigError(fmt::format("--probe-model of {} must be {}, got '{}'", variant.name,
                                one_of_text(allowed), text));
}

/// Sets the model of --probe-model, or checks the scheme of --probes.
void take_scheme(const VariantInfo& variant, const PointOptions& options, SizeRequest& request) {
  if (options.probe_model.empty()) {
    static_cast<void>(scheme_of(variant, request.probes));
    return;
  }
  request.model = parse_model(variant, options.probe_model);
  if (request.probes.empty()) return;
  throw ConfigError("--probe-model must be left out with --probes, which determines the model");
}

/// Returns whether the refusal of a request is about one of its parameters.
bool is_about_parameter(const SizeRequest& request, std::string_view refusal) {
  return std::ranges::any_of(request.params, [&](const auto& param) {
    return refusal.starts_with(param.first + " must be ");
  });
}

/// Returns the request with a size in place of p, except for a filter that grows. The size is the
/// smallest whose exact rate for n keys is at most p.
SizeRequest with_size_for_rate(const VariantInfo& variant, const SizeRequest& request) {
  if (!request.rate || variant.can(Operation::kGrow)) return request;
  const SizeAnswer answer = solve_size(variant, request);
  if (!answer.is_sized()) {
    if (is_about_parameter(request, answer.refusal)) throw ConfigError(answer.refusal);
    throw ConfigError(fmt::format(
        "-p must be a rate that {} can reach with the given -n{}, got {}: {}", answer.variant,
        request.num_hashes ? " and -k" : "", rounded(*request.rate, 10), answer.refusal));
  }
  SizeRequest sized = request;
  sized.rate.reset();
  sized.num_cells = answer.num_cells;
  sized.num_hashes = answer.num_hashes;
  sized.params = answer.params;
  return sized;
}

/// Checks k before a search or a formula uses k.
void require_num_hashes(const VariantInfo& variant, const SizeRequest& request) {
  if (!request.num_hashes || variant.can(Operation::kGrow)) return;
  checked_num_hashes(*request.num_hashes, variant.min_num_hashes, variant.max_num_hashes);
}

/// Throws ConfigError unless exactly one option gives the size. `size_options` are the options of
/// the command; --num-blocks is allowed only for variants with blocks.
void require_one_size(const VariantInfo& variant, const PointOptions& options,
                      std::span<const std::string_view> size_options) {
  const SizeRequest& request = options.request;
  std::vector<std::string> given;
  if (request.num_cells) given.emplace_back("-m");
  if (request.num_bits) given.emplace_back(options.has_memory_option ? "--memory" : "-m");
  if (request.num_blocks) given.emplace_back("--num-blocks");
  if (request.bits_per_key) given.emplace_back("--bits-per-key");
  if (request.rate) given.emplace_back("-p");
  if (given.size() == 1) return;
  std::vector<std::string> allowed;
  for (const std::string_view name : size_options) {
    if (name != "--num-blocks" || variant.sized_by_blocks) allowed.emplace_back(name);
  }
  const std::string last = allowed.back();
  allowed.pop_back();
  throw ConfigError(fmt::format("exactly one of {} and {} must be given, got {}", joined(allowed),
                                last, given.empty() ? "none" : joined(given)));
}

void require_blocks(const VariantInfo& variant, const SizeRequest& request) {
  if (!request.num_blocks || variant.sized_by_blocks) return;
  throw ConfigError(
      "num_blocks",
      fmt::format(
          "must be left out for {}, which does not have blocks; give -m, --bits-per-key or -p",
          variant.name));
}

/// Returns the complete request of the options, with the probe model and the parameters parsed.
SizeRequest resolve_request(const VariantInfo& variant, const PointOptions& options,
                            std::span<const std::string_view> size_options) {
  SizeRequest request = options.request;
  ProblemCollector problems;
  problems.collect([&] {
    if (!request.num_keys)
      throw ConfigError("num_keys", "must be given: the number of keys, like 1e6");
  });
  problems.collect([&] { take_scheme(variant, options, request); });
  problems.collect([&] { require_num_hashes(variant, request); });
  problems.collect([&] {
    request.params =
        resolve_params(variant.name, variant.params, parse_params(variant, options.params));
  });
  problems.collect([&] { require_one_size(variant, options, size_options); });
  problems.collect([&] { require_blocks(variant, request); });
  problems.throw_if_any();
  return with_size_for_rate(variant, request);
}

}  // namespace

const SchemeInfo& scheme_of(const VariantInfo& variant, const std::string& probes) {
  if (probes.empty()) return variant.schemes.front();
  if (const SchemeInfo* const scheme = variant.find_scheme(probes)) return *scheme;
  throw ConfigError(fmt::format("--probes of {} must be one of {}, got '{}'", variant.name,
                                names_of(variant.schemes), probes));
}

RatedFilter requested_filter(const PointOptions& options,
                             std::span<const std::string_view> size_options) {
  const VariantInfo& variant = find_variant(options.variant);
  return requested_filter(variant, resolve_request(variant, options, size_options));
}

}  // namespace bloometry
