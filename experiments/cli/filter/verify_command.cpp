#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "experiments/cli/command_line/option_names.hpp"
#include "experiments/cli/filter/filter_files.hpp"
#include "experiments/cli/filter/filter_options.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/filter_files/bloometry_filter.hpp"
#include "experiments/text/printable.hpp"

namespace bloometry {
namespace {

/// The result of checking a file.
struct FileCheck {
  std::string fault{};  ///< the reason why the file is invalid; empty for a valid file
  std::optional<SizesCheck> sizes{};
  std::string remark{};  ///< FilterFacts::remark of a valid file
};

FileCheck check_file(const FilterInput& input) {
  // An unreadable file is an error of the caller, not a fault of the file.
  require_readable(input.path);
  try {
    const FilterFacts facts = open_filter(input)->description();
    return {contradiction_in(facts), facts.sizes_check, facts.remark};
  } catch (const ConfigError& error) {
    const std::string& field = error.problems().front().field;
    const bool is_option =
        !option_of(field, filter_options()).empty() || !option_of(field, point_options()).empty();
    if (is_option) throw;
    return {.fault = error.what()};
  }
}

/// Returns what the checks of a valid file show.
std::string intact_text(const FileCheck& check, bool has_checksum) {
  if (has_checksum) return "intact";
  const std::string found = check.sizes            ? text_of(*check.sizes)
                            : check.remark.empty() ? "sizes and counts are correct"
                                                   : "sizes are correct";
  return found + "; this format does not have a checksum";
}

}  // namespace

int filter_verify_command(const FilterShowOptions& options) {
  const InterruptWatch watch("files were not changed");
  const FileCheck check = check_file(options.filter);
  const bool is_intact = check.fault.empty();
  const bool has_checksum = options.filter.from == BloometryFilter::kFormat;
  if (options.json) {
    nlohmann::ordered_json json = {{"file", printable(options.filter.path.string(), kMaxMessage)},
                                   {"format", options.filter.from},
                                   {"checksum", has_checksum},
                                   {"intact", is_intact}};
    if (!is_intact) json["fault"] = check.fault;
    add_sizes_check(json, check.sizes);
    if (!check.remark.empty()) json["remark"] = check.remark;
    std::cout << json.dump(2) << '\n';
  } else if (is_intact) {
    std::cout << options.filter.path.string() << ": " << intact_text(check, has_checksum) << '\n';
    if (!check.remark.empty()) std::cout << "remark: " << check.remark << '\n';
  } else {
    std::cout << "DAMAGED: " << check.fault << '\n';
  }
  return is_intact ? kDone : kAnswerIsNo;
}

}  // namespace bloometry
