#include "experiments/chart/export_charts.hpp"

#include <unistd.h>

#include <algorithm>

#include "core/error.hpp"
#include "experiments/chart/chart_runtime.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/process/run_program.hpp"
#include "experiments/process/sudden_end.hpp"

namespace bloometry::chart {
namespace {

namespace fs = std::filesystem;

/// Removed at the end, whatever happens.
class PartsFolder {
 public:
  explicit PartsFolder(const fs::path& beside)
      : path_(beside / (".export-" + std::to_string(::getpid()))) {
    std::error_code error;
    fs::create_directories(path_, error);
    if (error) throw IoError(path_.string() + ": " + error.message());
  }

  PartsFolder(const PartsFolder&) = delete;
  PartsFolder& operator=(const PartsFolder&) = delete;

  ~PartsFolder() { remove(); }

  [[nodiscard]] fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  void remove() const noexcept {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  fs::path path_;
  AtSuddenEnd removal_{[this] { remove(); }};
};

bool contains(const std::vector<std::string>& formats, const std::string& format) {
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

/// One node process for all charts: starting it costs more than drawing.
void draw_svg(std::span<const Chart> charts, const fs::path& folder, const PartsFolder& parts,
              const fs::path& assets) {
  std::vector<std::string> arguments = {"node", (assets / "render.mjs").string()};
  for (const Chart& chart : charts) {
    arguments.push_back((folder / (chart.name + ".vl.json")).string());
    arguments.push_back((parts / (chart.name + ".svg")).string());
  }
  run_program(arguments, "nodejs");
}

void convert(const fs::path& svg, const fs::path& target, const std::string& format) {
  std::vector<std::string> arguments = {"rsvg-convert", "--format", format, "--output",
                                        target.string()};
  if (format == "png") {
    arguments.insert(arguments.end(), {"--zoom", "2", "--background-color", "white"});
  }
  arguments.push_back(svg.string());
  run_program(arguments, "librsvg2-bin");
}

}  // namespace

void export_charts(std::span<const Chart> charts, const fs::path& folder,
                   const std::vector<std::string>& formats, const fs::path& assets) {
  if (charts.empty() || formats.empty()) return;
  if (!load_chart_runtime(assets)) {
    throw IoError("the chart runtime is not installed; run: " + install_command(assets));
  }
  const PartsFolder parts(folder);
  draw_svg(charts, folder, parts, assets);
  for (const Chart& chart : charts) {
    const fs::path svg = parts / (chart.name + ".svg");
    for (const std::string format : {"png", "pdf"}) {
      if (!contains(formats, format)) continue;
      const fs::path part = parts / (chart.name + "." + format);
      convert(svg, part, format);
      replace_file(folder / (chart.name + "." + format), read_file(part));
    }
    if (contains(formats, "svg")) replace_file(folder / (chart.name + ".svg"), read_file(svg));
  }
}

}  // namespace bloometry::chart
