#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/core.h>
#include <iostream>
#include <limits>
#include <optional>

#include "core/error.hpp"
#include "experiments/cli/filter/filter_files.hpp"
#include "experiments/cli/filter/filter_options.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry {
namespace {

using Combine = void (FileFilter::*)(const FileFilter& other);

constexpr std::uint64_t kMostKeys = std::numeric_limits<std::uint64_t>::max();

/// The sum of the numbers of inserted keys of several files. The sum is absent if a file does not
/// contain the number.
class SumOfInserted {
 public:
  void add(const FileNotes& notes) {
    sum_ = sum_ && notes.num_inserted ? std::optional(*sum_ + *notes.num_inserted) : std::nullopt;
  }

  /// Returns the most distinct keys that the filters can have together.
  [[nodiscard]] double most_keys() const {
    return sum_ ? static_cast<double>(*sum_) : std::numeric_limits<double>::infinity();
  }

 private:
  std::optional<std::uint64_t> sum_ = 0;
};

/// Prints a warning if a merged filter contains more keys than its capacity. Files may have keys in
/// common, so the number of keys is the estimate from the cells, and at most the sum.
void warn_of_merged_keys(const FilterFacts& facts, const SumOfInserted& sum) {
  if (!facts.estimated_num_keys) return;
  const double num_keys = std::min(*facts.estimated_num_keys, sum.most_keys());
  if (!std::isfinite(num_keys)) return warn_of_overfill(facts, kMostKeys, "too many keys are in");
  const auto rounded_keys = static_cast<std::uint64_t>(std::llround(num_keys));
  warn_of_overfill(facts, rounded_keys,
                   fmt::format("about {} are in", plural(rounded_keys, "key")));
}

/// Combines filter files into one file. At most two filters are in memory at the same time.
int combine_files(const FilterCombineOptions& options, Combine combine) {
  const InterruptWatch watch(FilterOutput::kept_text(options.out));
  const FilterOutput output(options.out);
  output.require_other_than(options.paths, options.filter.secret);
  FilterInput input = options.filter;
  input.path = options.paths.front();
  const std::unique_ptr<FileFilter> result = open_filter(input);
  SumOfInserted sum;
  sum.add(result->notes());
  for (std::size_t i = 1; i < options.paths.size(); ++i) {
    input.path = options.paths[i];
    const std::unique_ptr<FileFilter> other = open_filter(input);
    sum.add(other->notes());
    try {
      ((*result).*combine)(*other);
    } catch (const ConfigError& error) {
      throw ConfigError(fmt::format("{} and {}: {}", options.paths.front().string(),
                                    input.path.string(), error.what()));
    }
  }
  output.write(*result);
  const FilterFacts facts = result->facts();
  if (combine == &FileFilter::merge) warn_of_merged_keys(facts, sum);
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
