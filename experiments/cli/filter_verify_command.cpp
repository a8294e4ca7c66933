#include <unistd.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "core/error.hpp"
#include "core/file/write_file.hpp"
#include "experiments/cli/filter_files.hpp"
#include "experiments/cli/filter_options.hpp"
#include "experiments/cli/interrupt.hpp"
#include "experiments/cli/option_names.hpp"
#include "experiments/filters/bloometry_filter.hpp"
#include "experiments/text/printable.hpp"

namespace bloometry {
namespace {

/// Returns the reason why the file is invalid, or an empty text for a valid file.
std::string fault_of(const FilterInput& input) {
  // An unreadable file is an error of the caller, not a fault of the file.
  if (::access(input.path.c_str(), R_OK) != 0) static_cast<void>(open_filter(input));
  require_regular_file(input.path);
  try {
    return contradiction_in(open_filter(input)->facts());
  } catch (const ConfigError& error) {
    const std::string& field = error.problems().front().field;
    const bool is_option =
        !option_of(field, filter_options()).empty() || !option_of(field, point_options()).empty();
    if (is_option) throw;
    return error.what();
  }
}

}  // namespace

int filter_verify_command(const FilterShowOptions& options) {
  const InterruptWatch watch("files were not changed");
  const std::string fault = fault_of(options.filter);
  const bool is_intact = fault.empty();
  const bool has_checksum = options.filter.from == BloometryFilter::kFormat;
  if (options.json) {
    nlohmann::ordered_json json = {{"file", printable(options.filter.path.string(), kMaxMessage)},
                                   {"format", options.filter.from},
                                   {"checksum", has_checksum},
                                   {"intact", is_intact}};
    if (!is_intact) json["fault"] = fault;
    std::cout << json.dump(2) << '\n';
  } else if (is_intact) {
    std::cout << options.filter.path.string()
              << (has_checksum
                      ? ": intact\n"
                      : ": sizes and counts are correct; this format does not have a checksum\n");
  } else {
    std::cout << "DAMAGED: " << fault << '\n';
  }
  return is_intact ? kDone : kAnswerIsNo;
}

}  // namespace bloometry
