#include <fmt/core.h>
#include <iostream>
#include <memory>

#include "core/error.hpp"
#include "experiments/cli/filter/capacity_warning.hpp"
#include "experiments/cli/filter/facts_text.hpp"
#include "experiments/cli/filter/filter_files.hpp"
#include "experiments/cli/filter/filter_options.hpp"
#include "experiments/cli/terminal/interrupt.hpp"

namespace bloometry {

namespace {

std::unique_ptr<FileFilter> converted(const FilterConvertOptions& options,
                                      const FileFilter& filter) {
  try {
    return filter.converted(options.to);
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("{}: {}", options.filter.path.string(), error.what()));
  }
}

}  // namespace

int filter_convert_command(const FilterConvertOptions& options) {
  const InterruptWatch watch(FilterOutput::kept_text(options.out));
  require_file_format(options.to);
  const FilterOutput output(options.out);
  output.require_other_than({&options.filter.path, 1}, options.filter.secret);
  const std::unique_ptr<FileFilter> source = open_filter(options.filter);
  const std::unique_ptr<FileFilter> filter = converted(options, *source);
  output.write(*filter);
  // The new file may not contain the capacity.
  const FilterFacts facts = source->facts();
  warn_of_held_keys(facts, facts.notes.num_inserted);
  std::cout << options.out.string() << ": " << size_text(filter->description()) << '\n';
  return kDone;
}

}  // namespace bloometry
