#include "experiments/cli/theory/theory_plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/core.h>
#include <set>
#include <stdexcept>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/cli/theory/foreign_theory.hpp"
#include "experiments/cli/theory/requested_filter.hpp"
#include "experiments/cli/theory/requested_variants.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/unit/spec_text.hpp"

namespace bloometry {
namespace {

using report::TheoryCurve;
using report::TheoryPlot;

constexpr int kNumSteps = 60;        // number of steps over n or bits per key
constexpr double kLogSpan = 1000;    // largest n / smallest n if the filter grows
constexpr unsigned kMoreHashes = 6;  // minimum number of k above the given k

/// Returns the memory of the filter with n keys, which depends on n if the filter grows.
std::uint64_t num_bits_of(const RatedFilter& filter, std::uint64_t num_keys) {
  const bool may_grow = filter.variant.can(Operation::kGrow) || filter.variant.is_limited;
  if (!may_grow) return filter.geometry().num_bits();
  return filter.variant.num_bits_at(filter.spec, num_keys);
}

double bits_per_key_of(const RatedFilter& filter, std::uint64_t num_keys) {
  return static_cast<double>(num_bits_of(filter, num_keys)) / static_cast<double>(num_keys);
}

/// Returns the rate for the caption: the expected rate if it is known, otherwise an approximation.
double main_rate(const Prediction& prediction) {
  if (prediction.expected) return prediction.expected->rate;
  if (prediction.exact) return *prediction.exact;
  return prediction.approximations.front().rate.value_or(0);
}

/// Returns the values of the filter with n keys, by their columns in the tables of charts.
nlohmann::json columns_of(const RatedFilter& filter, std::uint64_t num_keys) {
  const VariantInfo& variant = filter.variant;
  nlohmann::json columns = {{"variant", variant.name},
                            {"params", params_text(filter.spec.params)},
                            {"num_inserted", num_keys},
                            {"num_bits", num_bits_of(filter, num_keys)}};
  if (!filter.scheme.name.empty()) columns["probes"] = filter.scheme.name;
  if (num_keys > 0) columns["bits_per_key"] = bits_per_key_of(filter, num_keys);
  if (const auto initial_capacity = variant.initial_capacity(filter.spec)) {
    columns["initial_capacity"] = *initial_capacity;
    columns["target_false_positive_rate"] = filter.spec.target_false_positive_rate.value();
  } else {
    columns["num_hashes"] = filter.geometry().num_hashes;
  }
  return columns;
}

/// Adds the rate of every formula for the filter with n keys.
void add_rates(TheoryCurve& curve, double x, const RatedFilter& filter, std::uint64_t num_keys) {
  const Prediction prediction = predict(filter, num_keys);
  const std::size_t num_before = curve.rates.size();
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
  const nlohmann::json columns = columns_of(filter, num_keys);
  for (std::size_t i = num_before; i < curve.rates.size(); ++i) curve.rates[i].filter = columns;
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
void add_point(TheoryCurve& curve, double x, const RatedFilter& filter, std::uint64_t num_keys) {
  try {
    add_rates(curve, x, filter, num_keys);
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
    add_point(curve, static_cast<double>(n), filter, n);
  }
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
      add_point(curve, bits_per_key_of(there, num_keys), there, num_keys);
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
    add_point(curve, k, there, num_keys);
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
    text +=
        ", m = " + counted_cells(geometry.num_cells, geometry.cell_bits, filter.variant.is_limited);
  }
  if (against == "num_keys") text += fmt::format(", k = {}", geometry.num_hashes);
  return text;
}

TheoryCurve curve_of(const RatedFilter& filter, const PointOptions& options,
                     const TheoryPlot& plot) {
  const std::uint64_t num_keys = *options.request.num_keys;
  TheoryCurve curve{.name = std::string(filter.variant.name),
                    .series = std::string(filter.variant.name),
                    .caption = filter_text(filter, num_keys, plot.against)};
  double x = static_cast<double>(num_keys);
  if (plot.against == "bits_per_key") {
    x = bits_per_key_of(filter, num_keys);
    add_over_bits(curve, x, options_of(options, filter.variant.name));
  } else if (plot.against == "num_hashes") {
    x = filter.geometry().num_hashes;
    add_over_hashes(curve, filter, num_keys);
  } else {
    add_over_keys(curve, filter, num_keys, plot.has_log_x);
  }
  curve.requested = {.line = {},
                     .x = x,
                     .rate = main_rate(predict(filter, num_keys)),
                     .filter = columns_of(filter, num_keys)};
  return curve;
}

/// Adds to the names of the series what the curves do not have in common: k and the memory, if the
/// filters differ in them and each curve has one, and the initial capacity of filters that grow.
void complete_series(const std::vector<RatedFilter>& filters, TheoryPlot& plot) {
  std::set<unsigned> distinct;
  for (const RatedFilter& filter : filters) distinct.insert(filter.geometry().num_hashes);
  const bool has_one_k = plot.against == "num_keys" && distinct.size() > 1;
  const bool has_one_memory = plot.against != "bits_per_key" && differ_in_memory(filters);
  for (std::size_t i = 0; i < filters.size(); ++i) {
    std::string& series = plot.curves[i].series;
    const RatedFilter& filter = filters[i];
    if (const auto initial_capacity = filter.variant.initial_capacity(filter.spec)) {
      series += fmt::format(", initial capacity {}", grouped(*initial_capacity));
      continue;
    }
    if (has_one_k) series += fmt::format(", k = {}", filter.geometry().num_hashes);
    if (has_one_memory) series += ", " + memory_text(filter.geometry().num_bits());
  }
}

/// Returns whether a line is an upper bound, because a table does not have room for the keys.
bool has_keys_without_room(const TheoryPlot& plot) {
  const std::string line = report::theory_line("upper_bound", false);
  return std::ranges::any_of(plot.curves, [&](const TheoryCurve& curve) {
    return std::ranges::any_of(curve.rates, [&](const auto& rate) { return rate.line == line; });
  });
}

std::string note_of(const std::vector<RatedFilter>& filters, const PointOptions& options,
                    const std::string& against) {
  if (against != "bits_per_key") {
    return differ_in_memory(filters) ? "The filters differ in memory." : "";
  }
  const std::optional<unsigned>& k = options.request.num_hashes;
  return k ? fmt::format("All sizes have k = {}.", *k) : "Each size has its best k.";
}

}  // namespace

bool differ_in_memory(const std::vector<RatedFilter>& filters) {
  constexpr double kRounding = 1.01;  // ratio of sizes that differ only by whole blocks
  std::uint64_t least = UINT64_MAX;
  std::uint64_t most = 0;
  for (const RatedFilter& filter : filters) {
    if (filter.variant.can(Operation::kGrow)) continue;
    least = std::min(least, filter.geometry().num_bits());
    most = std::max(most, filter.geometry().num_bits());
  }
  return static_cast<double>(most) > kRounding * static_cast<double>(least);
}

std::vector<RatedFilter> drawn_filters(const PointOptions& options, const std::string& against) {
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
    problems.collect([&] { require_axis(filter.variant, against); });
  }
  problems.throw_if_any();
  return filters;
}

TheoryPlot theory_plot(const std::vector<RatedFilter>& filters, const PointOptions& options,
                       const TheoryChartOptions& chart) {
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
  plot.note = note_of(filters, options, chart.against);
  if (has_keys_without_room(plot)) {
    plot.note += plot.note.empty() ? "" : " ";
    plot.note +=
        "The upper bound is the rate of full cells, where a table has fewer cells than keys.";
  }
  return plot;
}

}  // namespace bloometry
