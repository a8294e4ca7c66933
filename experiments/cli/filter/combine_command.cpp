#include <algorithm>
#include <cstdint>
#include <fmt/core.h>
#include <iostream>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/cli/filter/capacity_warning.hpp"
#include "experiments/cli/filter/facts_text.hpp"
#include "experiments/cli/filter/filter_files.hpp"
#include "experiments/cli/filter/filter_options.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/filter_files/bloometry_filter.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry {
namespace {

using Combine = void (FileFilter::*)(const FileFilter& other);

/// The sum of the numbers of inserted keys of several files. The sum is absent if a file does not
/// contain the number.
class SumOfInserted {
 public:
  void add(const FileNotes& notes) { sum_ = sum_of(sum_, notes.num_inserted); }

  /// Returns the most distinct keys that the filters can have together.
  [[nodiscard]] std::optional<std::uint64_t> most_keys() const { return sum_; }

 private:
  std::optional<std::uint64_t> sum_ = 0;
};

/// Returns how to get two filters that differ only in their size to one size, or an empty text if
/// another field differs.
std::string size_advice(const FileFilter& a, const FileFilter& b) {
  constexpr std::uint64_t kMostDivisor = 16;  // a smaller filter would be full
  const auto* const ours = dynamic_cast<const BloometryFilter*>(&a);
  const auto* const theirs = dynamic_cast<const BloometryFilter*>(&b);
  if (ours == nullptr || theirs == nullptr || !ours->has_hash_of(*theirs)) return {};
  const FileHeader one = ours->header();
  const FileHeader other = theirs->header();
  if (one.variant != other.variant || one.probes != other.probes || one.params != other.params) {
    return {};
  }
  if (one.geometry.num_cells == other.geometry.num_cells) return {};
  const std::string advice = "; build both with the same -n and -p, or the same -m and -k";
  if (one.geometry.num_hashes != other.geometry.num_hashes || !ours->filter().can_fold()) {
    return advice;
  }
  const std::uint64_t size = std::gcd(a.foldable_size(), b.foldable_size());
  const std::uint64_t divisor_a = a.foldable_size() / size;
  const std::uint64_t divisor_b = b.foldable_size() / size;
  if (one.geometry.num_cells / divisor_a != other.geometry.num_cells / divisor_b) return advice;
  if (std::max(divisor_a, divisor_b) > kMostDivisor) return advice;
  std::vector<std::string> folds;
  if (divisor_a > 1) folds.push_back(fmt::format("the first by {}", divisor_a));
  if (divisor_b > 1) folds.push_back(fmt::format("the second by {}", divisor_b));
  return fmt::format("{}, or fold {} with `bloometry filter fold --divisor`", advice,
                     joined(folds, {}, " and "));
}

/// Combines filter files into one file. At most two filters are in memory at the same time.
int combine_files(const FilterCombineOptions& options, Combine combine) {
  const InterruptWatch watch(FilterOutput::kept_text(options.out));
  const FilterOutput output(options.out);
  output.require_other_than(options.paths, options.filter.secret);
  FilterInput input = options.filter;
  input.path = options.paths.front();
  const std::unique_ptr<FileFilter> result = open_filter(input);
  print_unchecked_sizes(input.path, *result);
  SumOfInserted sum;
  sum.add(result->notes());
  for (std::size_t i = 1; i < options.paths.size(); ++i) {
    input.path = options.paths[i];
    const std::unique_ptr<FileFilter> other = open_filter(input);
    print_unchecked_sizes(input.path, *other);
    sum.add(other->notes());
    try {
      ((*result).*combine)(*other);
    } catch (const ConfigError& error) {
      throw ConfigError(fmt::format("{} and {}: {}{}", options.paths.front().string(),
                                    input.path.string(), error.what(),
                                    size_advice(*result, *other)));
    }
  }
  output.write(*result);
  const FilterFacts facts = result->facts();
  if (combine == &FileFilter::merge) {
    warn_of_held_keys(facts, sum.most_keys());
  } else {
    warn_of_lost_mark(*result);
  }
  std::cout << options.out.string() << ": " << plural(options.paths.size(), "filter") << " in "
            << size_text(facts) << '\n';
  return kDone;
}

}  // namespace

int filter_merge_command(const FilterCombineOptions& options) {
  return combine_files(options, &FileFilter::merge);
}

int filter_intersect_command(const FilterCombineOptions& options) {
  return combine_files(options, &FileFilter::intersect);
}

}  // namespace bloometry
