#include "experiments/workload/integer_source.hpp"

#include <fmt/core.h>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/workload/key_patterns.hpp"

namespace bloometry {
namespace {

constexpr std::string_view kRandom = "random";
constexpr std::string_view kSequential = "sequential";

/// Returns the function from item numbers to keys, or null for random keys.
auto pattern_of(std::string_view source) -> std::uint64_t (*)(std::uint64_t item) {
  if (source == kRandom) return nullptr;
  if (source == kSequential) return [](std::uint64_t item) { return item; };
  if (const KeyPattern* pattern = find_key_pattern(source)) return pattern->value;
  throw ConfigError("keys",
                    fmt::format("must be one of {}, got '{}'", joined(integer_sources()), source));
}

}  // namespace

std::vector<std::string> integer_sources() {
  std::vector<std::string> names = {std::string(kRandom), std::string(kSequential)};
  for (const KeyPattern& pattern : kKeyPatterns) names.emplace_back(pattern.name);
  return names;
}

IntegerSource::IntegerSource(std::string_view source, std::uint64_t seed)
    : random_(seed), pattern_(pattern_of(source)) {}

}  // namespace bloometry
