#include <bit>
#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/contract/set_estimates.hpp"
#include "experiments/cli/filter/filter_files.hpp"
#include "experiments/cli/filter/filter_options.hpp"
#include "experiments/cli/terminal/fitted_lines.hpp"
#include "experiments/cli/terminal/interrupt.hpp"
#include "experiments/cli/terminal/optional_json.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/filter_files/bloometry_filter.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry {
namespace {

/// A field in which the two filters differ. The JSON output contains the name and the two values of
/// the field.
struct Difference {
  std::string field;
  nlohmann::ordered_json a;
  nlohmann::ordered_json b;
};

std::vector<Difference> differences(const nlohmann::ordered_json& a,
                                    const nlohmann::ordered_json& b) {
  std::vector<Difference> found;
  for (const auto& [name, value] : a.items()) {
    const nlohmann::ordered_json theirs = b.value(name, nlohmann::ordered_json(nullptr));
    if (theirs != value) found.push_back({name, value, theirs});
  }
  for (const auto& [name, value] : b.items()) {
    if (!a.contains(name)) found.push_back({name, nullptr, value});
  }
  return found;
}

/// Comparison of the cells of two filters of the same size.
struct CellComparison {
  std::uint64_t num_different_bits = 0;
  std::optional<SetEstimates> sets{};
};

/// Compares the cells of two filters. Returns nullopt if the sizes of the filters differ.
std::optional<CellComparison> compare_cells(const FileFilter& a, const FileFilter& b) {
  const auto cells_a = a.cells();
  const auto cells_b = b.cells();
  if (cells_a.size() != cells_b.size()) return std::nullopt;
  CellComparison comparison;
  for (std::size_t s = 0; s < cells_a.size(); ++s) {
    if (cells_a[s].size() != cells_b[s].size()) return std::nullopt;
    for (std::size_t w = 0; w < cells_a[s].size(); ++w) {
      comparison.num_different_bits +=
          static_cast<std::uint64_t>(std::popcount(cells_a[s][w] ^ cells_b[s][w]));
    }
  }
  return comparison;
}

/// Returns the estimated sizes of the key sets of two filters. Returns nullopt unless hash, variant
/// and size are equal, and if a filter is an intersection.
std::optional<SetEstimates> estimate_sets(const FileFilter& a, const FileFilter& b) {
  const auto* const ours = dynamic_cast<const BloometryFilter*>(&a);
  const auto* const theirs = dynamic_cast<const BloometryFilter*>(&b);
  if (ours == nullptr || theirs == nullptr || !ours->has_hash_of(*theirs)) return std::nullopt;
  const AnyFilter& filter = ours->filter();
  if (ours->notes().is_intersected || theirs->notes().is_intersected) return std::nullopt;
  const bool is_one_kind = filter.name() == theirs->filter().name() &&
                           filter.probes() == theirs->filter().probes() &&
                           ours->header().geometry == theirs->header().geometry;
  if (!is_one_kind || !filter.can_estimate_sets()) return std::nullopt;
  return filter.estimate_sets(theirs->filter());
}

std::string text_of(const nlohmann::ordered_json& value) {
  if (value.is_null()) return "-";
  if (value.is_number_float()) return rounded(value.get<double>(), 6);
  if (value.is_number_unsigned()) return grouped(value.get<std::uint64_t>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string count_text(const std::optional<double>& count) {
  return count && std::isfinite(*count) ? grouped_real(*count, 6) : "unknown";
}

void print_text(const std::vector<Difference>& found, const std::optional<CellComparison>& cells) {
  const FittedLines fitted(std::cout);
  TextTable table({{"differs", true}, {"A"}, {"B"}});
  for (const Difference& difference : found) {
    // The scalar fields contain the rates of these objects.
    if (difference.a.is_object() || difference.b.is_object()) continue;
    table.add({difference.field, text_of(difference.a), text_of(difference.b)});
  }
  if (!table.empty()) table.print(std::cout);
  if (!cells) return;
  std::cout << "\nbits that differ: " << grouped(cells->num_different_bits) << '\n';
  if (!cells->sets) return;
  std::cout << "distinct keys, estimated: " << count_text(cells->sets->count_a) << " in A, "
            << count_text(cells->sets->count_b) << " in B, "
            << count_text(cells->sets->intersection()) << " in both, "
            << count_text(cells->sets->count_union) << " in either\n";
}

nlohmann::ordered_json to_json(const std::vector<Difference>& found,
                               const std::optional<CellComparison>& cells, bool is_equal) {
  nlohmann::ordered_json json = {{"equal", is_equal}};
  json["differences"] = nlohmann::ordered_json::object();
  for (const Difference& difference : found) {
    json["differences"][difference.field] = {difference.a, difference.b};
  }
  if (!cells) return json;
  json["num_different_bits"] = cells->num_different_bits;
  if (!cells->sets) return json;
  json["estimated_num_keys"] = {{"a", finite_or_null(cells->sets->count_a)},
                                {"b", finite_or_null(cells->sets->count_b)},
                                {"intersection", finite_or_null(cells->sets->intersection())},
                                {"union", finite_or_null(cells->sets->count_union)}};
  return json;
}

}  // namespace

int filter_diff_command(const FilterDiffOptions& options) {
  const InterruptWatch watch("files were not changed");
  FilterInput input = options.filter;
  input.path = options.a;
  const std::unique_ptr<FileFilter> a = open_filter(input);
  print_unchecked_sizes(options.a, *a);
  input.path = options.b;
  const std::unique_ptr<FileFilter> b = open_filter(input);
  print_unchecked_sizes(options.b, *b);
  const std::vector<Difference> found = differences(to_json(a->facts()), to_json(b->facts()));
  std::optional<CellComparison> cells = compare_cells(*a, *b);
  if (cells) cells->sets = estimate_sets(*a, *b);
  const bool is_equal = found.empty() && cells && cells->num_different_bits == 0;
  if (options.json) {
    std::cout << to_json(found, cells, is_equal).dump(2) << '\n';
  } else if (is_equal) {
    std::cout << "equal\n";
  } else {
    print_text(found, cells);
  }
  return is_equal ? kDone : kAnswerIsNo;
}

}  // namespace bloometry
