#pragma once

#include "core/statistics/significance.hpp"

namespace bloometry::test {

/// Returns the p-value below which a statistical assertion fails. All assertions together reject a
/// correct implementation with probability at most 1e-6 for one seed, by Bonferroni's correction
/// for at most 1100 assertions. After adding assertions, check that the following numbers of
/// assertions add up to at most 1100:
///
///     block_rates_test              25
///     conditional_rate_test         70   35 variants with schemes, 2 points
///     counting_damage_test           2
///     fluid_rate_test               18
///     hash_uniformity_test         152   151 and a whole collision of 2^17 keys in 2^64
///     increment_set_rate_test        6
///     independent_words_test        53   each over 4096 bit pairs, at a 4096th
///     probe_uniformity_test         58
///     rate_spread_test               2   1, and 30 that fail with less than 1e-9 in total
///     age_partitioned_phases_test    2   each over all phases
///     sequential_calibration_test    5   4, and 600 runs that miss with 1e-12
///     set_operations_test           70
///     cuckoo_overfull_test           7   2 tables, 2 checks each, and 3 sizes
///     d_left_rates_test             18   9 loads of a simulation and of a filter
///     d_left_doublings_test          5
///     d_left_refused_inserts_test   25   7 tables, 3 checks each, and 4 tables
///     by_filter_calibration_test    16
///     calibration_test              28   11 kinds of filters, up to 4 laws
///     verdict/calibration_test     403   400 runs, each judged at this false alarm, and 3 counts
///     verdict/power_test           108   2 bounds for each of 4 shares, 100 fills at 1e-9
///     cli/filter/filter_check_test   6   3 of correct filters, 3 of faults
///
/// The tests in tests/hash_battery have a separate false-alarm probability of 1e-6 for each number
/// of keys.
inline double rejection_threshold() {
  return statistics::bonferroni_threshold(1e-6, 1100);
}

}  // namespace bloometry::test
