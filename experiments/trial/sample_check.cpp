#include "experiments/trial/sample_check.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/core.h>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/hash/xxh3_hasher.hpp"
#include "core/statistics/draws.hpp"
#include "core/text.hpp"
#include "experiments/trial/reference_engines.hpp"
#include "experiments/trial/unit_work.hpp"
#include "experiments/unit/row_columns.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kPointsPerSample = 200;
constexpr int kDrawsPerSample = 3;

std::uint64_t cost_of(const Point& point) {
  return (point.num_inserted + point.num_queries) * std::max(point.num_hashes, 1U);
}

std::size_t draw_cheapest(const Unit& unit, Draws& words) {
  std::size_t cheapest = words.next(unit.points.size());
  for (int i = 1; i < kDrawsPerSample; ++i) {
    const std::size_t other = words.next(unit.points.size());
    if (cost_of(unit.points[other]) < cost_of(unit.points[cheapest])) cheapest = other;
  }
  return cheapest;
}

template <class T>
std::string text_of(const T& value) {
  return fmt::format("{}", value);
}

/// Returns the shortest decimal form that reads back as exactly the same number. Rates that differ
/// only in their last bit therefore have different decimal forms.
std::string text_of(double value) {
  return shortest_text(value);
}

std::string text_of(const std::vector<std::uint64_t>& values) {
  const auto text_of_value = [](std::uint64_t value) { return std::to_string(value); };
  return fmt::format("[{}]", joined(values, text_of_value, " "));
}

template <class T>
std::string text_of(const std::optional<T>& value) {
  return value ? text_of(*value) : "absent";
}

/// Calls visit for each column of a row and for the row's histogram.
template <class Visit>
void for_each_value(const TrialRow& row, Visit visit) {
  for_each_count(row, visit);
  visit("set_probe_counts", row.set_probe_counts);
}

/// Returns the columns that differ between two rows as text: `name 1 instead of 2, ...`.
std::string differences(const TrialRow& row, const TrialRow& repeated) {
  std::vector<std::string> expected;
  for_each_value(repeated,
                 [&](std::string_view, const auto& value) { expected.push_back(text_of(value)); });
  std::string text;
  std::size_t column = 0;
  for_each_value(row, [&](std::string_view name, const auto& value) {
    const std::string& other = expected[column++];
    const std::string own = text_of(value);
    if (own == other) return;
    text += fmt::format("{}{} {} instead of {}", text.empty() ? "" : ", ", name, own, other);
  });
  return text;
}

}  // namespace

std::vector<std::size_t> sampled_points(const Unit& unit, bool at_least_one) {
  if (unit.points.empty()) return {};
  Draws words(Xxh3Hasher()(unit.id).lo);
  const std::uint64_t num_points = unit.points.size();
  std::uint64_t count = (num_points + words.next(kPointsPerSample)) / kPointsPerSample;
  if (at_least_one) count = std::max<std::uint64_t>(count, 1);
  std::set<std::size_t> sample;
  for (std::uint64_t i = 0; i < count; ++i) sample.insert(draw_cheapest(unit, words));
  return {sample.begin(), sample.end()};
}

void require_equal(const TrialRow& row, const TrialRow& repeated) {
  if (row == repeated) return;
  throw EngineMismatch(
      fmt::format("unit {} ({}, {}, {}, trial {}) at num_inserted {}, num_hashes {}: the engine "
                  "and the naive engine differ: {}",
                  row.unit, row.variant, row.probes, row.keys, row.trial, row.num_inserted,
                  text_of(row.num_hashes), differences(row, repeated)));
}

void check_sample(UnitRun& run, std::span<const TrialRow> rows) {
  const bool at_least_one =
      run.context.always_checked != nullptr && run.context.always_checked->contains(run.unit.id);
  // The phases of the engine and the reported number of operations do not include the check.
  TrialContext context = run.context;
  context.num_operations = nullptr;
  UnitRun repetition{run.unit, context};
  for (const std::size_t i : sampled_points(run.unit, at_least_one)) {
    const Point& point = run.unit.points[i];
    repetition.work_per_operation = work_per_operation(run.unit, {&point, 1}, StageCost::kSingle);
    require_equal(rows[i], run_naive(repetition, {&point, 1}).front());
  }
}

}  // namespace bloometry
