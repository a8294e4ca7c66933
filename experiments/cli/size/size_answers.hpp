#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/cli/command_line/commands.hpp"
#include "variants/registry/registry.hpp"
#include "variants/registry/sizing.hpp"

namespace bloometry {

/// The answer of a variant, or the nearest possible answers if n, p and the size contradict each
/// other.
struct VariantAnswer {
  SizeAnswer answer{};
  std::optional<NearestAnswers> nearest{};
};

/// Returns the parsed request of `bloometry size`.
/// @throws ConfigError listing every problem of the request and of --needs.
[[nodiscard]] SizeRequest size_request(const PointOptions& options);

/// Returns the answers of all variants, in the order of AllVariants. The answer of a variant that
/// does not meet all needs, or does not have the scheme, is a refusal. So is an answer whose rate
/// is unknown or above p, as with double hashing.
/// @param probes a scheme, or an empty text for the default scheme of each variant
/// @throws ConfigError naming --probes if no variant has the scheme.
[[nodiscard]] std::vector<VariantAnswer> answers_of(const SizeRequest& request,
                                                    const std::vector<std::string>& needs,
                                                    const std::string& probes);

/// Returns whether the variant meets a need of --needs. The need `cache-line` means that all cells
/// of a key are in one cache line, as in filters with blocks.
[[nodiscard]] bool meets(const VariantInfo& variant, const std::string& need);

/// Returns a phrase that lists the needs that the variant does not meet. The phrase is empty if the
/// variant meets all needs.
[[nodiscard]] std::string lacking(const VariantInfo& variant,
                                  const std::vector<std::string>& needs);

/// Returns the request as text, such as "n = 1,000,000 keys, p <= 0.01, probes independent".
[[nodiscard]] std::string request_text(const SizeRequest& request, const std::string& probes);

}  // namespace bloometry
