#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <set>
#include <stdexcept>
#include <system_error>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/chart/chart_runtime.hpp"
#include "experiments/chart/export_charts.hpp"
#include "experiments/cli/command_line/point_options.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/cli/theory/foreign_theory.hpp"
#include "experiments/cli/theory/requested_filter.hpp"
#include "experiments/cli/theory/theory_options.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/files/scratch_folder.hpp"
#include "experiments/report/theory_chart.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry {
namespace {

using report::TheoryCurve;

constexpr int kNumSteps = 60;        // number of steps over n or bits per key
constexpr double kLogSpan = 1000;    // largest n / smallest n if the filter grows
constexpr unsigned kMoreHashes = 6;  // minimum number of k above the given k

/// Returns the rate for the caption: the expected rate if it is known, otherwise an approximation.
double main_rate(const Prediction& prediction) {
  if (prediction.expected) return prediction.expected->rate;
  if (prediction.exact) return *prediction.exact;
  return prediction.approximations.front().rate.value_or(0);
}

void add_rates(TheoryCurve& curve, double x, const Prediction& prediction) {
  if (prediction.exact) {
    curve.rates.push_back({report::theory_line("exact", true), x, *prediction.exact});
  }
  const bool has_model = !prediction.exact && prediction.expected;
  const std::string_view model = has_model ? prediction.expected->formula : "";
  if (has_model) {
    curve.rates.push_back({report::theory_line(model, false), x, prediction.expected->rate});
  }
  for (const NamedRate& named : prediction.approximations) {
    if (named.name == model) continue;
    const std::string line = report::theory_line(named.name, prediction.exact.has_value());
    if (!line.empty() && named.rate) curve.rates.push_back({line, x, *named.rate});
  }
}

/// Adds the prediction at x, unless the filter cannot exist, for instance because of empty slices.
template <class Predict>
void add_point(TheoryCurve& curve, double x, const Predict& predict_there) {
  try {
    add_rates(curve, x, predict_there());
  } catch (const std::domain_error&) {
    return;  // outside the formula
  } catch (const ConfigError&) {
    return;  // outside the variant
  }
}

/// Adds the curve of the rate over n, up to twice the number of keys. For a filter that grows, the
/// curve covers several powers of ten of n.
void add_over_keys(TheoryCurve& curve, const RatedFilter& filter, std::uint64_t num_keys) {
  const double most = 2 * static_cast<double>(num_keys);
  curve.has_log_x = filter.variant.can(Operation::kGrow);
  std::set<std::uint64_t> counts;
  for (int i = 1; i <= kNumSteps; ++i) {
    const double share = static_cast<double>(i) / kNumSteps;
    const double n = curve.has_log_x ? most * std::pow(kLogSpan, share - 1) : most * share;
    counts.insert(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(n))));
  }
  for (const std::uint64_t n : counts) {
    add_point(curve, static_cast<double>(n), [&] { return predict(filter, n); });
  }
}

double held_bits_per_key(const RatedFilter& filter, std::uint64_t num_keys) {
  return static_cast<double>(filter.geometry().num_bits()) / static_cast<double>(num_keys);
}

/// Adds the curve from half to twice the memory. Every size has the given k. Without a given k,
/// every size has its best k.
void add_over_bits(TheoryCurve& curve, double bits_per_key, const PointOptions& options) {
  const std::uint64_t num_keys = *options.request.num_keys;
  PointOptions sized = options;
  sized.request = without_size(options.request);
  sized.request.rate.reset();
  for (int i = 0; i <= kNumSteps; ++i) {
    sized.request.bits_per_key = bits_per_key * std::pow(4.0, i / double{kNumSteps} - 0.5);
    try {
      const RatedFilter there = requested_filter(sized);
      add_point(curve, held_bits_per_key(there, num_keys),
                [&] { return predict(there, num_keys); });
    } catch (const ConfigError&) {
      continue;  // invalid size
    }
  }
  const std::optional<unsigned>& k = options.request.num_hashes;
  curve.note = k ? fmt::format("All sizes have k = {}.", *k) : "Each size has its best k.";
}

void add_over_hashes(TheoryCurve& curve, const RatedFilter& filter, std::uint64_t num_keys) {
  const unsigned requested = filter.geometry().num_hashes;
  const unsigned most = std::min<unsigned>(filter.variant.max_num_hashes,
                                           std::max(2 * requested, requested + kMoreHashes));
  for (unsigned k = filter.variant.min_num_hashes; k <= most; ++k) {
    RatedFilter there = filter;
    there.spec.num_hashes = k;
    add_point(curve, k, [&] { return predict(there, num_keys); });
  }
}

/// Throws ConfigError if the variant does not have the axis.
void require_axis(const VariantInfo& variant, const std::string& against) {
  std::vector<std::string> allowed = {"num_keys"};
  if (variant.has_size_axis(SizeAxis::kBitsPerKey)) allowed.emplace_back("bits_per_key");
  if (!variant.can(Operation::kGrow) && variant.min_num_hashes < variant.max_num_hashes) {
    allowed.emplace_back("num_hashes");
  }
  if (std::find(allowed.begin(), allowed.end(), against) != allowed.end()) return;
  throw ConfigError("--against", fmt::format("of {} must be {}, got '{}'", variant.name,
                                             one_of_text(allowed), against));
}

/// Returns the values that are constant along the curve.
std::string filter_text(const RatedFilter& filter, std::uint64_t num_keys,
                        const std::string& against) {
  std::string text(filter.variant.name);
  const std::optional<std::uint64_t> initial_capacity =
      filter.variant.initial_capacity(filter.spec);
  if (initial_capacity) {
    text += fmt::format(", initial capacity {}", plural(*initial_capacity, "key"));
  }
  for (const auto& [name, value] : filter.spec.params) {
    if (name != "initial_capacity") text += fmt::format(", {} = {}", name, to_string(value));
  }
  if (initial_capacity) return text;
  const Geometry geometry = filter.geometry();
  if (against != "num_keys") text += fmt::format(", n = {} keys", grouped(num_keys));
  if (against != "bits_per_key") {
    text += ", m = " + counted_cells(geometry.num_cells, geometry.cell_bits);
  }
  if (against == "num_keys") text += fmt::format(", k = {}", geometry.num_hashes);
  return text;
}

TheoryCurve curve_of(const PointOptions& options, const TheoryChartOptions& chart) {
  const RatedFilter filter = requested_filter(options);
  const std::uint64_t num_keys = *options.request.num_keys;
  require_axis(filter.variant, chart.against);
  TheoryCurve curve{.name = chart.file.stem().string(),
                    .filter = filter_text(filter, num_keys, chart.against),
                    .against = chart.against};
  double x = static_cast<double>(num_keys);
  if (chart.against == "bits_per_key") {
    x = held_bits_per_key(filter, num_keys);
    add_over_bits(curve, x, options);
  } else if (chart.against == "num_hashes") {
    x = filter.geometry().num_hashes;
    add_over_hashes(curve, filter, num_keys);
  } else {
    add_over_keys(curve, filter, num_keys);
    if (filter.variant.can(Operation::kGrow)) curve.target = filter.spec.target_false_positive_rate;
  }
  curve.requested = {.line = {}, .x = x, .rate = main_rate(predict(filter, num_keys))};
  return curve;
}

/// Checks that the folder of the file exists, before the chart is drawn.
void require_folder(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::error_code error;
  if (std::filesystem::is_directory(folder, error)) return;
  throw ConfigError("--chart",
                    fmt::format("must be in a folder that exists, got '{}'", file.string()));
}

/// Throws ConfigError for picture options with a Vega-Lite file, because other programs draw such a
/// file.
void require_drawn_style(const TheoryChartOptions& options) {
  if (options.file.extension() != ".json" || options.style == chart::ExportStyle{}) return;
  throw ConfigError(
      "--chart",
      fmt::format("with --figure, --width or --font-size must end in .svg, .png or .pdf, got '{}'",
                  options.file.string()));
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
  std::filesystem::path caption = options.file;
  replace_file(caption.replace_extension(".txt"), read_file(drawn("txt")));
}

void write_chart(const chart::Chart& chart, const TheoryChartOptions& options) {
  if (options.file.extension() != ".json") return write_picture(chart, options);
  replace_file(options.file, chart::to_text(chart::with_data(chart), 1) + "\n");
}

}  // namespace

int theory_chart_command(const PointOptions& options, const TheoryChartOptions& chart) {
  const InterruptWatch watch("the chart is complete: either the old file or the new one");
  if (requested_format(options.variant) != nullptr) {
    throw ConfigError(fmt::format("--chart must be left out with {}, a format of another program",
                                  options.variant));
  }
  require_folder(chart.file);
  require_drawn_style(chart);
  write_chart(report::theory_chart(curve_of(options, chart)), chart);
  return kDone;
}

}  // namespace bloometry
