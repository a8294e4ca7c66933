// Prints the tables of tests/statistical/README.md as CSV on standard output:
//
//     bloometry_power_table smallest            the smallest excess of the rate that is detected
//     bloometry_power_table defects [FILTERS]   planted defects, each with FILTERS filters
//
// The exit status is 1 if an observed share contradicts its prediction at the false-alarm
// probability of the tests.

#include <cstdint>
#include <iomanip>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>

#include "core/statistics/binomial_interval.hpp"
#include "core/statistics/test_power.hpp"
#include "experiments/output/csv.hpp"
#include "tests/experiments/verdict/planted_filters.hpp"
#include "tests/statistical/false_alarm.hpp"
#include "tests/support/test_seed.hpp"

namespace {

using namespace bloometry;
using test::PowerCounts;

constexpr double kIntervalAlpha = 0.01;  // 99 % confidence

/// Returns the share with six digits, or an empty string if the share is unknown.
std::string cell(std::optional<double> share) {
  std::ostringstream text;
  if (share) text << *share;
  return text.str();
}

void print_smallest() {
  std::cout << "expected_false_positives,rate,level,power,smallest_excess\n";
  for (const double rate : {0.01, 0.1}) {
    for (std::uint64_t false_positives = 10; false_positives <= 10'000'000; false_positives *= 10) {
      const auto queries =
          static_cast<std::uint64_t>(static_cast<double>(false_positives) / rate + 0.5);
      const auto excess = statistics::smallest_excess_found(queries, rate, test::kPowerLevel, 0.99);
      std::cout << false_positives << ',' << rate << ',' << test::kPowerLevel << ",0.99,"
                << cell(excess) << '\n';
    }
  }
}

/// Returns "share,lower,upper": the share of detected filters and the limits of its confidence
/// interval.
std::string share_text(std::uint64_t found, std::uint64_t filters) {
  const auto interval = statistics::clopper_pearson(found, filters, kIntervalAlpha);
  std::ostringstream text;
  text << std::setprecision(4) << static_cast<double>(found) / static_cast<double>(filters) << ','
       << interval.lower << ',' << interval.upper;
  return text.str();
}

bool agrees(std::optional<double> predicted, std::uint64_t found, std::uint64_t filters) {
  if (!predicted) return true;
  const auto interval = statistics::clopper_pearson(found, filters, test::rejection_threshold());
  return *predicted >= interval.lower && *predicted <= interval.upper;
}

/// Prints the row of a defect. Returns whether the observed shares match the predictions.
bool print_defect(const test::PlantedDefect& defect, std::uint64_t num_filters) {
  const PowerCounts counts = count_found(defect, num_filters, test::test_seed());
  std::cout << csv_cell(defect.name) << ',' << defect.size << ',' << defect.num_queries << ','
            << counts.expected_false_positives << ',' << counts.true_ratio << ',' << num_filters
            << ',' << counts.predicted_by_false_positives << ','
            << share_text(counts.num_by_false_positives, num_filters) << ','
            << cell(counts.predicted_by_fill) << ',' << share_text(counts.num_by_fill, num_filters)
            << ',' << share_text(counts.num_by_histogram, num_filters) << ','
            << share_text(counts.num_found, num_filters) << std::endl;
  return agrees(counts.predicted_by_false_positives, counts.num_by_false_positives, num_filters) &&
         agrees(counts.predicted_by_fill, counts.num_by_fill, num_filters);
}

int print_defects(std::uint64_t num_filters) {
  std::cout << "defect,n,m,k,queries,expected_false_positives,true_rate_ratio,filters,"
               "predicted_false_positives,false_positives,false_positives_lower,"
               "false_positives_upper,predicted_fill,fill,fill_lower,fill_upper,histogram,"
               "histogram_lower,histogram_upper,any,any_lower,any_upper\n";
  bool all_agree = true;
  for (const test::PlantedDefect& defect : test::planted_defects()) {
    if (print_defect(defect, num_filters)) continue;
    std::cerr << defect.name << ": observed and predicted disagree\n";
    all_agree = false;
  }
  return all_agree ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "smallest") {
    print_smallest();
    return 0;
  }
  if (what == "defects") return print_defects(argc > 2 ? std::stoull(argv[2]) : 300);
  std::cerr << "usage: bloometry_power_table smallest | defects [FILTERS]\n";
  return 2;
}
