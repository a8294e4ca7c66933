#include "variants/registry/needs.hpp"

#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "core/text.hpp"

namespace bloometry {
namespace {

constexpr std::string_view kCacheLine = "cache-line";
constexpr std::array<std::string_view, 5> kNeeds = {
    name_of(Operation::kErase), name_of(Operation::kGrow), name_of(Operation::kMerge),
    name_of(Operation::kTick), kCacheLine};

constexpr std::string_view kGrow = name_of(Operation::kGrow);

/// Ends a phrase about a table that can be grown, but does not keep its rate at any number of keys.
constexpr std::string_view kGrowsWithinLimits =
    " at a fixed rate beyond max_capacity (`filter grow` doubles the room and the rate)";

}  // namespace

void require_known_needs(std::span<const std::string> needs) {
  for (const std::string& need : needs) {
    if (std::find(kNeeds.begin(), kNeeds.end(), need) != kNeeds.end()) continue;
    throw ConfigError("needs", "must be " + one_of_text(kNeeds) + ", got '" + need + "'");
  }
}

bool meets(const VariantInfo& variant, std::string_view need) {
  if (need == kCacheLine) return variant.sized_by_blocks;
  return std::any_of(variant.operations.begin(), variant.operations.end(),
                     [&](Operation operation) { return name_of(operation) == need; });
}

std::string lacking(const VariantInfo& variant, std::span<const std::string> needs) {
  std::string text;
  for (const std::string& need : needs) {
    if (meets(variant, need)) continue;
    text.append(text.empty() ? "cannot " : ", ").append(need);
    if (need == kGrow && variant.can_be_grown) text.append(kGrowsWithinLimits);
  }
  return text;
}

}  // namespace bloometry
