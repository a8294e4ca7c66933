#include "experiments/subject/loads.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

#include "core/error.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry {
namespace {

constexpr double kLeast = 1e-6;
constexpr double kMost = 100;
constexpr std::size_t kMaxLoads = 16;

}  // namespace

void require_valid_loads(std::span<const double> loads) {
  if (loads.empty() || loads.size() > kMaxLoads) {
    throw ConfigError("loads", fmt::format("must have 1 to 16 numbers, got {}", loads.size()));
  }
  for (const double load : loads) {
    if (load >= kLeast && load <= kMost) continue;
    throw ConfigError("loads", "must be numbers in [1e-06, 100], got " + rounded(load, 6));
  }
}

std::vector<std::uint64_t> keys_at_loads(std::uint64_t num_keys, std::span<const double> loads) {
  std::vector<std::uint64_t> keys;
  for (const double load : loads) {
    const double count = std::round(load * static_cast<double>(num_keys));
    keys.push_back(static_cast<std::uint64_t>(std::max(1.0, count)));
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

}  // namespace bloometry
