#include "experiments/cli/size/size_answers.hpp"

#include <fmt/core.h>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/cli/command_line/param_options.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "variants/registry/needs.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

/// Converts bits per key to the memory for n keys.
void take_bits_per_key(SizeRequest& request) {
  if (!request.bits_per_key) return;
  if (request.num_cells || request.num_bits) {
    throw ConfigError(
        "--bits-per-key must be left out with -m or --memory: each determines the size");
  }
  if (!request.num_keys) {
    throw ConfigError("-n must be given with --bits-per-key: the number of keys, like 1e6");
  }
  const double num_bits = *request.bits_per_key * static_cast<double>(*request.num_keys);
  if (!(num_bits >= 1 && num_bits <= static_cast<double>(kMaxRequestedCount))) {
    throw ConfigError("--bits-per-key times -n must be in [1, 2^53] bits, got " +
                      rounded(num_bits, 6));
  }
  request.num_bits = requested_memory(request);
  request.bits_per_key.reset();
}

/// Throws ConfigError if the request does not contain two of n, p and a size.
void require_two_values(const SizeRequest& request) {
  const bool is_sized = has_size(request);
  const int num_values =
      int{request.num_keys.has_value()} + int{request.rate.has_value()} + int{is_sized};
  if (num_values >= 2) return;
  const char* const given = request.num_keys ? "only -n"
                            : request.rate   ? "only -p"
                            : is_sized       ? "only a size"
                                             : "none";
  throw ConfigError(
      fmt::format("at least two of -n, -p and a size (-m, --memory, or --bits-per-key with -n) "
                  "must be given, got {}",
                  given));
}

}  // namespace

SizeRequest size_request(const PointOptions& options) {
  SizeRequest request = options.request;
  ProblemCollector problems;
  problems.collect([&] { require_known_needs(request.needs); });
  problems.collect([&] {
    request.params = options.variant.empty()
                         ? parse_params_of_any_variant(options.params)
                         : parse_params(find_variant(options.variant), options.params);
  });
  problems.collect([&] {
    take_bits_per_key(request);
    require_two_values(request);
    require_valid(request);
  });
  problems.throw_if_any();
  return request;
}

std::string request_text(const SizeRequest& request) {
  std::vector<std::string> parts;
  if (request.num_keys) parts.push_back("n = " + plural(*request.num_keys, "key"));
  if (request.rate) parts.push_back("p <= " + rounded(*request.rate, 10));
  if (request.num_cells) parts.push_back(fmt::format("m = {} cells", grouped(*request.num_cells)));
  if (request.num_bits) parts.push_back("memory " + memory_text(*request.num_bits));
  if (request.num_hashes) parts.push_back(fmt::format("k = {}", *request.num_hashes));
  if (!request.probes.empty()) parts.push_back("probes " + request.probes);
  for (const auto& [name, value] : request.params) {
    parts.push_back(fmt::format("{} = {}", name, to_string(value)));
  }
  return joined(parts);
}

}  // namespace bloometry
