#include <fmt/core.h>
#include <system_error>
#include <vector>

#include "core/error.hpp"
#include "experiments/chart/chart_runtime.hpp"
#include "experiments/chart/export_charts.hpp"
#include "experiments/cli/command_line/point_options.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/message.hpp"
#include "experiments/cli/theory/theory_options.hpp"
#include "experiments/cli/theory/theory_plot.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/files/scratch_folder.hpp"
#include "experiments/report/chart_csv.hpp"
#include "experiments/report/theory_chart.hpp"

namespace bloometry {
namespace {

/// Checks that the folder of the file exists, before the chart is drawn.
void require_folder(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::error_code error;
  if (std::filesystem::is_directory(folder, error)) return;
  throw ConfigError("--chart",
                    fmt::format("must be in a folder that exists, got '{}'", file.string()));
}

bool is_picture(const std::filesystem::path& file) {
  return file.extension() != ".json" && file.extension() != ".csv";
}

/// Throws ConfigError for picture options with a file that other programs draw.
void require_drawn_style(const TheoryChartOptions& options) {
  if (is_picture(options.file) || options.style == chart::ExportStyle{}) return;
  throw ConfigError(
      "--chart",
      fmt::format("with --figure, --width or --font-size must end in .svg, .png or .pdf, got '{}'",
                  options.file.string()));
}

std::filesystem::path caption_file(const std::filesystem::path& picture) {
  return std::filesystem::path(picture).replace_extension(".txt");
}

/// Throws ConfigError if the caption would replace a file that an earlier chart did not write. The
/// picture of an earlier chart is beside its caption.
void require_own_caption(const std::filesystem::path& file) {
  const auto is_drawn = [&](const char* ending) {
    return std::filesystem::exists(std::filesystem::path(file).replace_extension(ending));
  };
  if (!is_picture(file) || is_drawn(".svg") || is_drawn(".png") || is_drawn(".pdf")) return;
  const std::filesystem::path caption = caption_file(file);
  if (!std::filesystem::exists(caption)) return;
  throw ConfigError("--chart",
                    fmt::format("must have another name, because the caption would replace {}, "
                                "got '{}'",
                                caption.string(), file.string()));
}

/// Draws the chart in the same way as an exported chart of a report. Writes the caption to a file
/// beside the picture.
void write_picture(const chart::Chart& chart, const TheoryChartOptions& options) {
  const ScratchFolder scratch(".bloometry-theory-");
  const std::string format = options.file.extension().string().substr(1);
  const auto drawn = [&](const std::string& ending) {
    return scratch.path() / fmt::format("{}.{}", chart.name, ending);
  };
  replace_file(drawn("vl.json"), chart::to_text(chart::with_data(chart)));
  chart::export_charts({&chart, 1}, scratch.path(), {.formats = {format}, .style = options.style},
                       chart::assets_folder());
  replace_file(options.file, read_file(drawn(format)));
  replace_file(caption_file(options.file), read_file(drawn("txt")));
}

void write_chart(const chart::Chart& chart, const TheoryChartOptions& options) {
  if (is_picture(options.file)) return write_picture(chart, options);
  replace_file(options.file, options.file.extension() == ".csv"
                                 ? report::chart_csv(chart)
                                 : chart::to_text(chart::with_data(chart), 1) + "\n");
}

}  // namespace

int theory_chart_command(const PointOptions& options, const TheoryChartOptions& chart) {
  const InterruptWatch watch("the chart is complete: either the old file or the new one");
  require_folder(chart.file);
  require_drawn_style(chart);
  require_own_caption(chart.file);
  const std::vector<RatedFilter> filters = drawn_filters(options, chart.against);
  write_chart(report::theory_chart(theory_plot(filters, options, chart)), chart);
  if (options.request.num_cells && differ_in_memory(filters)) {
    print_message(
        "the filters differ in memory, because -m without a unit is a number of cells and counters "
        "are wider than bits; -m or --memory in bytes, such as 1MiB, compares equal memory");
  }
  return kDone;
}

}  // namespace bloometry
