#include "experiments/filter_files/fold_search.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace bloometry {
namespace {

/// Returns the divisors of `size` in ascending order.
std::vector<std::uint64_t> divisors_of(std::uint64_t size) {
  std::vector<std::uint64_t> divisors;
  for (std::uint64_t low = 1; low <= size / low; ++low) {
    if (size % low != 0) continue;
    divisors.push_back(low);
    if (low != size / low) divisors.push_back(size / low);
  }
  std::sort(divisors.begin(), divisors.end());
  return divisors;
}

/// Returns the folded filter, or null if the filter cannot be folded by this divisor.
std::unique_ptr<FileFilter> try_fold(const FileFilter& filter, std::uint64_t divisor) {
  try {
    return filter.fold(divisor);
  } catch (const ConfigError&) {
    return nullptr;
  }
}

}  // namespace

FoldedFilter fold_to_rate(const FileFilter& filter, double rate,
                          const std::function<void(std::uint64_t)>& on_try) {
  FoldedFilter best;
  std::vector<std::uint64_t> too_large;
  for (const std::uint64_t divisor : divisors_of(filter.foldable_size())) {
    const bool is_hopeless = std::any_of(too_large.begin(), too_large.end(),
                                         [&](std::uint64_t d) { return divisor % d == 0; });
    if (divisor == 1 || is_hopeless) continue;
    on_try(divisor);
    std::unique_ptr<FileFilter> folded = try_fold(filter, divisor);
    if (!folded) continue;
    if (folded->facts().rate() <= rate) {
      best = {divisor, std::move(folded)};
    } else {
      too_large.push_back(divisor);
    }
  }
  return best;
}

}  // namespace bloometry
