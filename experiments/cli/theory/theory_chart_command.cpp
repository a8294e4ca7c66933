#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

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
#include "experiments/cli/theory/requested_variants.hpp"
#include "experiments/cli/theory/theory_options.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/files/scratch_folder.hpp"
#include "experiments/report/chart_csv.hpp"
#include "experiments/report/theory_chart.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry {
namespace {

using report::TheoryCurve;
using report::TheoryPlot;

constexpr int kNumSteps = 60;        // number of steps over n or bits per key
constexpr double kLogSpan = 1000;    // largest n / smallest n if the filter grows
constexpr unsigned kMoreHashes = 6;  // minimum number of k above the given k

/// Returns the rate for the caption: the expected rate if it is known, otherwise an approximation.
double main_rate(const Prediction& prediction) {
  if (prediction.expected) return prediction.expected->rate;
  if (prediction.exact) return *prediction.exact;
  return prediction.approximations.front().rate.value_or(0);
}

/// Adds the rate of every formula.
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

/// Keeps only the best known rate at each x, which add_rates() adds first.
void keep_best_rates(TheoryCurve& curve) {
  std::vector<report::TheoryRate> best;
  for (report::TheoryRate& rate : curve.rates) {
    if (best.empty() || best.back().x != rate.x) best.push_back(std::move(rate));
  }
  curve.rates = std::move(best);
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

/// Adds the curve of the rate over n, up to twice the number of keys. A logarithmic curve covers
/// several powers of ten of n.
void add_over_keys(TheoryCurve& curve, const RatedFilter& filter, std::uint64_t num_keys,
                   bool has_log_x) {
  const double most = 2 * static_cast<double>(num_keys);
  std::set<std::uint64_t> counts;
  for (int i = 1; i <= kNumSteps; ++i) {
    const double share = static_cast<double>(i) / kNumSteps;
    const double n = has_log_x ? most * std::pow(kLogSpan, share - 1) : most * share;
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
  if (against != "num_keys") text += fmt::format(", n = {}", plural(num_keys, "key"));
  if (against != "bits_per_key") {
    text += ", m = " + counted_cells(geometry.num_cells, geometry.cell_bits);
  }
  if (against == "num_keys") text += fmt::format(", k = {}", geometry.num_hashes);
  return text;
}

TheoryCurve curve_of(const RatedFilter& filter, const PointOptions& options,
                     const TheoryPlot& plot) {
  const std::uint64_t num_keys = *options.request.num_keys;
  TheoryCurve curve{.series = std::string(filter.variant.name),
                    .filter = filter_text(filter, num_keys, plot.against)};
  double x = static_cast<double>(num_keys);
  if (plot.against == "bits_per_key") {
    x = held_bits_per_key(filter, num_keys);
    add_over_bits(curve, x, options_of(options, filter.variant.name));
  } else if (plot.against == "num_hashes") {
    x = filter.geometry().num_hashes;
    add_over_hashes(curve, filter, num_keys);
  } else {
    add_over_keys(curve, filter, num_keys, plot.has_log_x);
  }
  curve.requested = {.line = {}, .x = x, .rate = main_rate(predict(filter, num_keys))};
  return curve;
}

/// Adds to the names of the series what the curves do not have in common: k, if the filters differ
/// in k and each curve has one k, and the initial capacity of filters that grow.
void complete_series(const std::vector<RatedFilter>& filters, TheoryPlot& plot) {
  std::set<unsigned> distinct;
  for (const RatedFilter& filter : filters) distinct.insert(filter.geometry().num_hashes);
  const bool has_one_k = plot.against == "num_keys" && distinct.size() > 1;
  for (std::size_t i = 0; i < filters.size(); ++i) {
    std::string& series = plot.curves[i].series;
    const RatedFilter& filter = filters[i];
    if (const auto initial_capacity = filter.variant.initial_capacity(filter.spec)) {
      series += fmt::format(", initial capacity {}", grouped(*initial_capacity));
    } else if (has_one_k) {
      series += fmt::format(", k = {}", filter.geometry().num_hashes);
    }
  }
}

/// Returns the filters of the options, which must be variants that the chart can show.
std::vector<RatedFilter> drawn_filters(const PointOptions& options,
                                       const TheoryChartOptions& chart) {
  const std::vector<std::string> names = names_in_list(options.variant);
  if (names.size() == 1 && requested_format(names.front()) != nullptr) {
    throw ConfigError(fmt::format("--chart must be left out with {}, a format of another program",
                                  options.variant));
  }
  if (names.size() > report::kMostTheoryCurves) {
    throw ConfigError("variant", fmt::format("must be at most {} names with --chart, got {}",
                                             report::kMostTheoryCurves, names.size()));
  }
  std::vector<RatedFilter> filters = requested_filters(options);
  ProblemCollector problems;
  for (const RatedFilter& filter : filters) {
    problems.collect([&] { require_axis(filter.variant, chart.against); });
  }
  problems.throw_if_any();
  return filters;
}

TheoryPlot plot_of(const PointOptions& options, const TheoryChartOptions& chart) {
  const std::vector<RatedFilter> filters = drawn_filters(options, chart);
  TheoryPlot plot{.name = chart.file.stem().string(), .against = chart.against};
  for (const RatedFilter& filter : filters) {
    if (!filter.variant.can(Operation::kGrow)) continue;
    plot.has_log_x = true;
    plot.target = filter.spec.target_false_positive_rate;
  }
  for (const RatedFilter& filter : filters) {
    plot.curves.push_back(curve_of(filter, options, plot));
    if (filters.size() > 1) keep_best_rates(plot.curves.back());
  }
  complete_series(filters, plot);
  if (chart.against == "bits_per_key") {
    const std::optional<unsigned>& k = options.request.num_hashes;
    plot.note = k ? fmt::format("All sizes have k = {}.", *k) : "Each size has its best k.";
  }
  return plot;
}

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
  write_chart(report::theory_chart(plot_of(options, chart)), chart);
  return kDone;
}

}  // namespace bloometry
