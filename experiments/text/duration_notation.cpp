#include "experiments/text/duration_notation.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <fmt/core.h>

#include "experiments/text/number_notation.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry {
namespace {

struct DurationUnit {
  std::string_view name;
  std::uint64_t milliseconds;
};

/// The units from the largest to the smallest, except that ms precedes s and m, which it ends or
/// begins with.
constexpr std::array<DurationUnit, 5> kDurationUnits = {
    {{"d", 86'400'000}, {"h", 3'600'000}, {"ms", 1}, {"m", 60'000}, {"s", 1000}}};

std::string_view without_spaces_at_end(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

}  // namespace

std::optional<std::chrono::milliseconds> read_duration(std::string_view text) {
  text = without_spaces_at_end(text);
  for (const DurationUnit& unit : kDurationUnits) {
    if (!text.ends_with(unit.name)) continue;
    const std::string_view number =
        without_spaces_at_end(text.substr(0, text.size() - unit.name.size()));
    // The last letter must be a digit, because 5km would otherwise be 5,000 minutes.
    if (number.empty() || number.back() < '0' || number.back() > '9') return std::nullopt;
    const std::optional<std::uint64_t> count = read_whole(number);
    if (!count || *count >= kMaxExactWhole / unit.milliseconds) return std::nullopt;
    return std::chrono::milliseconds(static_cast<std::int64_t>(*count * unit.milliseconds));
  }
  return std::nullopt;
}

std::string readable_duration(std::chrono::milliseconds duration) {
  const double milliseconds = std::abs(static_cast<double>(duration.count()));
  DurationUnit best{"ms", 1};
  for (const DurationUnit& unit : kDurationUnits) {
    if (static_cast<double>(unit.milliseconds) <= milliseconds &&
        unit.milliseconds > best.milliseconds) {
      best = unit;
    }
  }
  return fmt::format("{}{} {}", duration.count() < 0 ? "-" : "",
                     grouped_real(milliseconds / static_cast<double>(best.milliseconds), 4),
                     best.name);
}

}  // namespace bloometry
