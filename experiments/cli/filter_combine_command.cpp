#include <iostream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "experiments/cli/filter_files.hpp"
#include "experiments/cli/filter_options.hpp"
#include "experiments/cli/interrupt.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry {
namespace {

using Combine = void (FileFilter::*)(const FileFilter& other);

/// Combines filter files into one file. At most two filters are in memory at the same time.
int combine_files(const FilterCombineOptions& options, Combine combine) {
  const InterruptWatch watch(FilterOutput::kept_text(options.out));
  const FilterOutput output(options.out);
  output.require_other_than(options.paths, options.filter.secret);
  FilterInput input = options.filter;
  input.path = options.paths.front();
  const std::unique_ptr<FileFilter> result = open_filter(input);
  for (std::size_t i = 1; i < options.paths.size(); ++i) {
    input.path = options.paths[i];
    const std::unique_ptr<FileFilter> other = open_filter(input);
    try {
      ((*result).*combine)(*other);
    } catch (const ConfigError& error) {
      throw ConfigError(options.paths.front().string() + " and " + input.path.string() + ": " +
                        error.what());
    }
  }
  output.write(*result);
  std::cout << options.out.string() << ": " << plural(options.paths.size(), "filter") << " in "
            << size_text(result->facts()) << '\n';
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
