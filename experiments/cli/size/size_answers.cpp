#include "experiments/cli/size/size_answers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/cli/terminal/text_table.hpp"

namespace bloometry {
namespace {

constexpr std::array<std::string_view, 4> kNeeds = {"erase", "grow", "merge", "cache-line"};

void check_needs(const std::vector<std::string>& needs) {
  for (const std::string& need : needs) {
    if (std::find(kNeeds.begin(), kNeeds.end(), need) != kNeeds.end()) continue;
    throw ConfigError("--needs must be one of erase, grow, merge, cache-line, got '" + need + "'");
  }
}

bool is_overdetermined(const SizeRequest& request) {
  return request.num_keys && request.rate && (request.num_cells || request.num_bits);
}

const SchemeInfo* find_scheme(const VariantInfo& variant, const std::string& name) {
  for (const SchemeInfo& scheme : variant.schemes) {
    if (scheme.name == name) return &scheme;
  }
  return nullptr;
}

/// Throws ConfigError unless a variant has the scheme.
void require_scheme(const std::string& name) {
  std::vector<std::string_view> names;
  for (const VariantInfo& variant : all_variant_infos()) {
    if (find_scheme(variant, name) != nullptr) return;
    for (const SchemeInfo& scheme : variant.schemes) {
      if (std::find(names.begin(), names.end(), scheme.name) == names.end()) {
        names.push_back(scheme.name);
      }
    }
  }
  throw ConfigError("--probes must be one of " + joined(names) + ", got '" + name + "'");
}

/// Returns why the rate of an answer cannot be given, or an empty text. Only schemes that do not
/// follow their model have such rates.
std::string why_not_given(const SizeRequest& request, const SizeAnswer& answer) {
  if (answer.rate_by == "approximation") {
    return "the rate of the scheme " + std::string(answer.probes) + " is unknown for this variant";
  }
  if (!request.rate || answer.rate <= *request.rate) return "";
  return "the rate of the scheme " + std::string(answer.probes) +
         " at the size of independent probes, " + rounded(answer.rate, 4) +
         " by a model, is above p";
}

void keep_if_given(const SizeRequest& request, std::optional<SizeAnswer>& answer) {
  if (answer && !why_not_given(request, *answer).empty()) answer.reset();
}

/// Returns the nearest answers whose rates are known and, except for rate_reached, at most p.
NearestAnswers nearest_given(const VariantInfo& variant, const SizeRequest& request) {
  NearestAnswers nearest = nearest_answers(variant, request);
  keep_if_given(request, nearest.size_needed);
  keep_if_given(request, nearest.keys_that_fit);
  keep_if_given({}, nearest.rate_reached);
  return nearest;
}

/// Returns the answer of a variant with the scheme of the request.
VariantAnswer answer_of(const VariantInfo& variant, const SizeRequest& request) {
  VariantAnswer given{.answer = solve_size(variant, request)};
  if (given.answer.is_sized()) given.answer.refusal = why_not_given(request, given.answer);
  if (!given.answer.is_sized() && is_overdetermined(request)) {
    given.nearest = nearest_given(variant, request);
  }
  return given;
}

/// Converts bits per key to the memory for n keys, with the same rounding as FilterSpec.
void take_bits_per_key(const PointOptions& options, SizeRequest& request) {
  if (!options.bits_per_key) return;
  if (request.num_cells || request.num_bits) {
    throw ConfigError(
        "--bits-per-key must be left out with -m or --memory: each determines the size");
  }
  if (!options.num_keys) {
    throw ConfigError("-n must be given with --bits-per-key: the number of keys, like 1e6");
  }
  const double num_bits = *options.bits_per_key * static_cast<double>(*options.num_keys);
  if (!(num_bits >= 1 && num_bits <= 0x1p53)) {
    throw ConfigError("--bits-per-key times -n must be in [1, 2^53] bits, got " +
                      rounded(num_bits, 6));
  }
  request.num_bits = static_cast<std::uint64_t>(std::llround(num_bits));
}

/// Throws ConfigError if the request does not contain two of n, p and a size.
void require_two_values(const SizeRequest& request) {
  const bool has_size = request.num_cells || request.num_bits;
  const int num_values =
      int{request.num_keys.has_value()} + int{request.rate.has_value()} + int{has_size};
  if (num_values >= 2) return;
  const char* const given = request.num_keys ? "only -n"
                            : request.rate   ? "only -p"
                            : has_size       ? "only a size"
                                             : "none";
  throw ConfigError(
      std::string("at least two of -n, -p and a size (-m, --memory, or --bits-per-key with "
                  "-n) must be given, got ") +
      given);
}

}  // namespace

SizeRequest size_request(const PointOptions& options) {
  SizeRequest request{.num_keys = options.num_keys,
                      .rate = options.rate,
                      .num_cells = options.num_cells,
                      .num_bits = options.memory_bits,
                      .num_hashes = options.num_hashes};
  ProblemCollector problems;
  problems.collect([&] { check_needs(options.needs); });
  problems.collect([&] {
    take_bits_per_key(options, request);
    require_two_values(request);
    require_valid(request);
  });
  problems.throw_if_any();
  return request;
}

bool meets(const VariantInfo& variant, const std::string& need) {
  if (need == "cache-line") return variant.sized_by_blocks;
  return std::any_of(variant.operations.begin(), variant.operations.end(),
                     [&](Operation operation) { return name_of(operation) == need; });
}

std::string lacking(const VariantInfo& variant, const std::vector<std::string>& needs) {
  std::string text;
  for (const std::string& need : needs) {
    if (meets(variant, need)) continue;
    text.append(text.empty() ? "cannot " : ", ").append(need);
  }
  return text;
}

std::vector<VariantAnswer> answers_of(const SizeRequest& request,
                                      const std::vector<std::string>& needs,
                                      const std::string& probes) {
  if (!probes.empty()) require_scheme(probes);
  std::vector<VariantAnswer> answers;
  for (const VariantInfo& variant : all_variant_infos()) {
    SizeRequest asked = request;
    if (!probes.empty()) asked.scheme = find_scheme(variant, probes);
    std::string refusal = lacking(variant, needs);
    if (refusal.empty() && !probes.empty() && asked.scheme == nullptr) {
      refusal = "does not have the scheme " + probes + ", only " + names_of(variant.schemes);
    }
    answers.push_back(refusal.empty()
                          ? answer_of(variant, asked)
                          : VariantAnswer{{.variant = variant.name, .refusal = refusal}});
  }
  return answers;
}

std::string request_text(const SizeRequest& request, const std::string& probes) {
  std::vector<std::string> parts;
  if (request.num_keys) {
    parts.push_back("n = " + grouped(*request.num_keys) +
                    (*request.num_keys == 1 ? " key" : " keys"));
  }
  if (request.rate) parts.push_back("p <= " + rounded(*request.rate, 10));
  if (request.num_cells) parts.push_back("m = " + grouped(*request.num_cells) + " cells");
  if (request.num_bits) parts.push_back("memory " + memory_text(*request.num_bits));
  if (request.num_hashes) parts.push_back("k = " + std::to_string(*request.num_hashes));
  if (!probes.empty()) parts.push_back("probes " + probes);
  return joined(parts);
}

}  // namespace bloometry
