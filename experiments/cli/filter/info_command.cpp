#include <iostream>
#include <nlohmann/json.hpp>

#include "experiments/cli/filter/facts_text.hpp"
#include "experiments/cli/filter/filter_files.hpp"
#include "experiments/cli/filter/filter_options.hpp"
#include "experiments/cli/terminal/fitted_lines.hpp"
#include "experiments/cli/terminal/interrupt.hpp"

namespace bloometry {

int filter_info_command(const FilterShowOptions& options) {
  const InterruptWatch watch("files were not changed");
  const FilterFacts facts = open_filter(options.filter)->facts();
  if (options.json) {
    std::cout << to_json(facts).dump(2) << '\n';
  } else {
    const FittedLines fitted(std::cout);
    std::cout << text_of(facts);
  }
  return kDone;
}

}  // namespace bloometry
