#include "experiments/filter_files/fold_search.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <utility>

#include "core/text.hpp"

namespace bloometry {
namespace {

constexpr std::size_t kMostNamed = 12;

}  // namespace

std::vector<std::uint64_t> fold_divisors(const FileFilter& filter) {
  const std::uint64_t size = filter.foldable_size();
  std::vector<std::uint64_t> divisors;
  for (std::uint64_t low = 1; low <= size / low; ++low) {
    if (size % low != 0) continue;
    if (low > 1) divisors.push_back(low);
    if (low != size / low) divisors.push_back(size / low);
  }
  std::sort(divisors.begin(), divisors.end());
  return divisors;
}

std::string divisors_text(std::span<const std::uint64_t> divisors) {
  if (divisors.empty()) return "none";
  const bool is_short = divisors.size() <= kMostNamed;
  const std::string named = joined(divisors.first(is_short ? divisors.size() : kMostNamed),
                                   [](std::uint64_t divisor) { return std::to_string(divisor); });
  return is_short ? named : fmt::format("{} and {} more", named, divisors.size() - kMostNamed);
}

FoldedFilter fold_to_rate(const FileFilter& filter, double rate,
                          const std::function<void(std::uint64_t)>& on_try) {
  FoldedFilter best;
  std::vector<std::uint64_t> too_large;
  for (const std::uint64_t divisor : fold_divisors(filter)) {
    const bool is_hopeless = std::any_of(too_large.begin(), too_large.end(),
                                         [&](std::uint64_t d) { return divisor % d == 0; });
    if (is_hopeless) continue;
    on_try(divisor);
    std::unique_ptr<FileFilter> folded = filter.fold(divisor);
    if (folded->facts().rate() <= rate) {
      best = {divisor, std::move(folded)};
    } else {
      too_large.push_back(divisor);
    }
  }
  return best;
}

}  // namespace bloometry
