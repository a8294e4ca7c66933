#include "variants/registry/sizing.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/rates/search.hpp"
#include "core/text.hpp"
#include "variants/registry/cell_sizing.hpp"
#include "variants/registry/forgetting_sizing.hpp"
#include "variants/registry/growing_sizing.hpp"
#include "variants/registry/needs.hpp"
#include "variants/registry/refusal.hpp"
#include "variants/registry/table_sizing.hpp"
#include "variants/registry/theory_registry.hpp"

namespace bloometry {
namespace {

/// Returns which of the parameters the variant does not have, as a phrase. The text is empty if it
/// has all of them.
std::string lacking_params(const VariantInfo& variant, const Params& params) {
  std::vector<std::string_view> missing;
  for (const auto& [name, value] : params) {
    if (find_param(variant.params, name) == nullptr) missing.push_back(name);
  }
  if (missing.empty()) return "";
  return "does not have the parameter" + std::string(missing.size() > 1 ? "s " : " ") +
         joined(missing) + (variant.params.empty() ? "" : ", only " + names_of(variant.params));
}

/// Returns why the variant is not sized at all: a need, the scheme or a parameter. The text is
/// empty if none of them is missing.
std::string why_excluded(const VariantInfo& variant, const SizeRequest& request) {
  if (std::string missing = lacking(variant, request.needs); !missing.empty()) return missing;
  if (!request.probes.empty() && variant.find_scheme(request.probes) == nullptr) {
    return "does not have the scheme " + request.probes + ", only " + names_of(variant.schemes);
  }
  return lacking_params(variant, request.params);
}

SizeAnswer refusal_of(const VariantInfo& variant, std::string why) {
  return {.variant = variant.name, .refusal = std::move(why)};
}

/// Throws ConfigError unless a variant has the scheme.
void require_known_scheme(const std::string& name) {
  std::vector<std::string_view> names;
  for (const VariantInfo& variant : all_variant_infos()) {
    if (variant.find_scheme(name) != nullptr) return;
    for (const SchemeInfo& scheme : variant.schemes) {
      if (std::find(names.begin(), names.end(), scheme.name) == names.end()) {
        names.push_back(scheme.name);
      }
    }
  }
  throw ConfigError("probes", "must be one of " + joined(names) + ", got '" + name + "'");
}

/// Returns why the rate of an answer cannot be given, or an empty text. Only schemes that do not
/// follow their model have such rates.
std::string why_not_given(const std::optional<double>& p, const SizeAnswer& answer) {
  if (answer.rate_by == "approximation") {
    return "the rate of the scheme " + std::string(answer.probes) + " is unknown for this variant";
  }
  if (!p || answer.rate <= *p) return "";
  return "the rate of the scheme " + std::string(answer.probes) +
         " at the size of independent probes, " + text_above(answer.rate, *p) +
         " by a model, is above p";
}

bool is_overdetermined(const SizeRequest& request) {
  return request.num_keys && request.rate && has_size(request);
}

void keep_if_given(const std::optional<double>& p, std::optional<SizeAnswer>& answer) {
  if (answer && !why_not_given(p, *answer).empty()) answer.reset();
}

/// Returns the nearest answers whose rates are known and, except for rate_reached, at most p.
NearestAnswers nearest_given(const VariantInfo& variant, const SizeRequest& request) {
  NearestAnswers nearest = nearest_answers(variant, request);
  keep_if_given(request.rate, nearest.size_needed);
  keep_if_given(request.rate, nearest.keys_that_fit);
  keep_if_given(std::nullopt, nearest.rate_reached);
  return nearest;
}

VariantAnswer answer_of(const VariantInfo& variant, const SizeRequest& request) {
  const std::string why = why_excluded(variant, request);
  if (!why.empty()) return {.answer = refusal_of(variant, why)};
  VariantAnswer given{.answer = solve_size(variant, request)};
  if (given.answer.is_sized()) given.answer.refusal = why_not_given(request.rate, given.answer);
  if (!given.answer.is_sized() && is_overdetermined(request)) {
    given.nearest = nearest_given(variant, request);
  }
  return given;
}

/// Returns whether a filter with the spec can have k probes.
bool accepts_num_hashes(const VariantInfo& variant, FilterSpec spec, unsigned num_hashes) {
  spec.num_hashes = num_hashes;
  try {
    static_cast<void>(variant.geometry(spec));
    return true;
  } catch (const ConfigError&) {
    return false;
  }
}

/// Sort key of the answers. The best answer has the smallest Merit.
using Merit = std::tuple<double, double>;

Merit merit_of(const SizeRequest& request, const SizeAnswer& answer) {
  const auto num_bits = static_cast<double>(answer.num_bits());
  if (!has_size(request)) return {num_bits, answer.rate};
  if (!request.num_keys) return {-static_cast<double>(answer.num_keys), num_bits};
  return {answer.rate, num_bits};
}

}  // namespace

FilterSpec SizeAnswer::spec() const {
  const VariantInfo& info = find_variant(variant);
  if (info.can(Operation::kGrow)) {
    return {.capacity = num_keys, .target_false_positive_rate = rate, .params = params};
  }
  FilterSpec spec{.num_hashes = num_hashes, .params = params};
  set_size(spec, info.cell_axis(), num_cells);
  return spec;
}

SizeAnswer solve_size(const VariantInfo& variant, const SizeRequest& request) {
  require_valid(request);
  require_known_needs(request.needs);
  if (std::string why = why_excluded(variant, request); !why.empty()) {
    return refusal_of(variant, std::move(why));
  }
  try {
    SizeAnswer answer = variant.can(Operation::kGrow)   ? solve_growing(variant, request)
                        : variant.can(Operation::kTick) ? solve_forgetting(variant, request)
                        : variant.is_limited            ? solve_table(variant, request)
                                                        : solve_cells(variant, request);
    if (answer.params.empty()) answer.params = request.params;
    return answer;
  } catch (const Refusal& refusal) {
    return refusal_of(variant, refusal.what());
  } catch (const ConfigError& error) {
    return refusal_of(variant, error.what());
  } catch (const std::domain_error& error) {
    return refusal_of(variant, error.what());
  }
}

NearestAnswers nearest_answers(const VariantInfo& variant, const SizeRequest& request) {
  if (!is_overdetermined(request)) throw ConfigError("n, p and a size must be given");
  const auto answer_to = [&](const SizeRequest& other) -> std::optional<SizeAnswer> {
    SizeAnswer answer = solve_size(variant, other);
    return answer.is_sized() ? std::optional(std::move(answer)) : std::nullopt;
  };
  SizeRequest without_keys = without_size(request);  // bits per key are a memory only for n keys
  without_keys.num_cells = request.num_cells;
  without_keys.num_blocks = request.num_blocks;
  without_keys.num_bits = requested_memory(request);
  without_keys.num_keys.reset();
  SizeRequest without_rate = request;
  without_rate.rate.reset();
  return {.size_needed = answer_to(without_size(request)),
          .keys_that_fit = answer_to(without_keys),
          .rate_reached = answer_to(without_rate)};
}

std::vector<VariantAnswer> solve_all(const SizeRequest& request) {
  require_valid(request);
  require_known_needs(request.needs);
  if (!request.probes.empty()) require_known_scheme(request.probes);
  std::vector<VariantAnswer> answers;
  for (const VariantInfo& variant : all_variant_infos()) {
    answers.push_back(answer_of(variant, request));
  }
  return answers;
}

std::optional<SizeAnswer> best_answer(const SizeRequest& request,
                                      const std::vector<VariantAnswer>& answers) {
  std::optional<SizeAnswer> best;
  for (const auto& [answer, nearest] : answers) {
    if (!answer.is_sized()) continue;
    if (!best || merit_of(request, answer) < merit_of(request, *best)) best = answer;
  }
  return best;
}

unsigned best_num_hashes(const VariantInfo& variant, const FilterSpec& spec, ProbeModel model,
                         std::uint64_t num_keys) {
  const VariantTheory& theory = find_theory(variant.name);
  const auto rate = [&](unsigned k) {
    FilterSpec with_k = spec;
    with_k.num_hashes = k;
    if (theory.worst_phase != nullptr) return theory.worst_phase(with_k, model).rate;
    return theory.expected_rate(with_k, model, num_keys);
  };
  return best_num_hashes(variant, spec, model, num_keys, rate);
}

unsigned best_num_hashes(const VariantInfo& variant, const FilterSpec& spec, ProbeModel model,
                         std::uint64_t num_keys, const std::function<double(unsigned)>& rate) {
  FilterSpec sized = spec;
  sized.capacity = std::max<std::uint64_t>(num_keys, 1);
  const Geometry geometry = variant.geometry(sized);
  if (variant.is_limited) return geometry.num_hashes;  // k also determines the room
  const unsigned fewest = variant.min_num_hashes;
  const unsigned most = model == ProbeModel::kWithReplacement
                            ? variant.max_num_hashes
                            : static_cast<unsigned>(std::min<std::uint64_t>(variant.max_num_hashes,
                                                                            geometry.num_cells));
  // The kind of generations may limit k to fewer values than the variant.
  const auto rate_if_allowed = [&](unsigned k) {
    if (!variant.can(Operation::kTick) || accepts_num_hashes(variant, sized, k)) return rate(k);
    return std::numeric_limits<double>::infinity();
  };
  return least_rate_num_hashes(std::clamp(geometry.num_hashes, fewest, most), fewest, most,
                               rate_if_allowed);
}

}  // namespace bloometry
