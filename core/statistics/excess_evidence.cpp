#include "core/statistics/excess_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/require_domain.hpp"
#include "core/statistics/special_functions.hpp"

namespace bloometry::statistics {
namespace {

constexpr double kProof = std::numeric_limits<double>::infinity();

/// Logarithm of the share of one factor.
const double kLogShare = -std::log(static_cast<double>(kExcessFactors.size()));

void require_repeats(std::optional<std::uint64_t> max_repeats) {
  require_domain(max_repeats != 0, "max_repeats", "at least 1", max_repeats.value_or(1));
}

/// Returns log(exp(a) + exp(b)).
double log_add(double a, double b) {
  const double larger = std::max(a, b);
  return std::isfinite(larger) ? larger + std::log1p(std::exp(std::min(a, b) - larger)) : larger;
}

/// The logarithms of a factor c, and of the largest mean of c^(w/R) per query.
struct FactorLogs {
  double factor = 0.0;
  double mean = 0.0;
};

using AllFactorLogs = std::array<FactorLogs, kExcessFactors.size()>;

/// Returns the logarithms, multiplied by 1/R.
AllFactorLogs factor_logs(double rate, std::uint64_t max_repeats) {
  const auto repeats = static_cast<double>(max_repeats);
  AllFactorLogs logs;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    const double growth = rate * (kExcessFactors[i] - 1.0);
    const double mean = max_repeats == 1 ? std::log1p(growth) : growth;
    logs[i] = {.factor = std::log(kExcessFactors[i]) / repeats, .mean = mean / repeats};
  }
  return logs;
}

/// Returns log L_c of a check.
double log_ratio(const FactorLogs& logs, double positives, double num_queries) {
  return positives * logs.factor - num_queries * logs.mean;
}

/// Returns log M_1 after a first check.
double log_first_evidence(const AllFactorLogs& logs, double positives, double num_queries) {
  double largest = 0.0;
  for (const FactorLogs& factor : logs) {
    largest = std::max(largest, log_ratio(factor, positives, num_queries));
  }
  double sum = 0.0;
  for (const FactorLogs& factor : logs) {
    sum += std::exp(log_ratio(factor, positives, num_queries) - largest);
  }
  const double mean = sum / static_cast<double>(logs.size());
  return largest + std::log(0.5 * std::exp(-largest) + 0.5 * mean);
}

/// Returns a number in [1, most] for which holds() is true, but not for the number before, or
/// nullopt if it does not hold for `most`. If holds() stays true, it is the least number.
template <class Holds>
std::optional<std::uint64_t> first_number(std::uint64_t most, Holds holds) {
  if (!holds(most)) return std::nullopt;
  std::uint64_t last = 1;
  while (last < most && !holds(last)) last = std::min(most, 2 * last);
  std::uint64_t first = last / 2 + 1;
  while (first < last) {
    const std::uint64_t middle = first + (last - first) / 2;
    if (holds(middle)) {
      last = middle;
    } else {
      first = middle + 1;
    }
  }
  return last;
}

/// Returns the probability that a first check of `num_keys` different keys, each queried R times,
/// reaches the evidence at twice the rate.
double power_at_double(std::uint64_t num_keys, double rate, double log_threshold,
                       std::uint64_t max_repeats) {
  if (rate == 0.0) return 0.0;
  const AllFactorLogs logs = factor_logs(rate, max_repeats);
  const auto repeats = static_cast<double>(max_repeats);
  const auto keys = static_cast<double>(num_keys);
  const auto is_alarm = [&](std::uint64_t positives) {
    return log_first_evidence(logs, static_cast<double>(positives) * repeats, keys * repeats) >=
           log_threshold;
  };
  const std::optional<std::uint64_t> fewest = first_number(num_keys, is_alarm);
  return fewest ? binomial_upper_tail(keys, std::min(1.0, 2.0 * rate), static_cast<double>(*fewest))
                : 0.0;
}

}  // namespace

ExcessEvidence::ExcessEvidence(const ExcessSums& sums) : sums_(sums) {
  const auto require_number = [](double sum) {
    require_domain(!std::isnan(sum), "sum", "a number", sum);
  };
  std::ranges::for_each(sums.log_products, require_number);
  require_number(sums.log_repeated);
}

void ExcessEvidence::observe(const CheckedQueries& queries, double rate) {
  require_at_most("positives", queries.positives, "queries", queries.num_queries);
  require_domain(rate >= 0.0 && rate <= 1.0, "rate", "in [0, 1]", rate);
  require_repeats(queries.max_repeats);
  const double check = static_cast<double>(++sums_.num_checks);
  const double log_weight = -std::log(check) - std::log(check + 1.0);
  const AllFactorLogs logs = factor_logs(rate, queries.max_repeats.value_or(1));
  const auto positives = static_cast<double>(queries.positives);
  const auto num_queries = static_cast<double>(queries.num_queries);
  const bool is_impossible = rate == 0.0 && queries.positives > 0;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    const double ratio = is_impossible ? kProof : log_ratio(logs[i], positives, num_queries);
    double& product = sums_.log_products[i];
    if (queries.max_repeats) {
      sums_.log_repeated = log_add(sums_.log_repeated, log_weight + kLogShare + ratio);
    } else {
      product = log_add(product, log_weight) + ratio;
    }
  }
}

double ExcessEvidence::log_evidence() const {
  const double of_later_checks = -std::log(static_cast<double>(sums_.num_checks) + 1.0);
  double log_sum = log_add(sums_.log_repeated, of_later_checks);
  for (const double product : sums_.log_products) log_sum = log_add(log_sum, product + kLogShare);
  return log_sum;
}

std::optional<std::uint64_t> queries_to_detect_double(double rate, double false_alarm, double power,
                                                      std::optional<std::uint64_t> max_repeats) {
  require_domain(false_alarm > 0.0 && false_alarm < 1.0, "false_alarm", "in (0, 1)", false_alarm);
  require_domain(power > 0.0 && power < 1.0, "power", "in (0, 1)", power);
  require_domain(rate >= 0.0 && rate <= 1.0, "rate", "in [0, 1]", rate);
  require_repeats(max_repeats);
  const std::uint64_t repeats = max_repeats.value_or(1);
  constexpr std::uint64_t kMostQueries = 1ULL << 53U;
  const double log_threshold = -std::log(false_alarm);
  const auto detects = [&](std::uint64_t num_keys) {
    return power_at_double(num_keys, rate, log_threshold, repeats) >= power;
  };
  const auto num_keys = first_number(kMostQueries / repeats, detects);
  return num_keys ? std::optional(*num_keys * repeats) : std::nullopt;
}

}  // namespace bloometry::statistics
