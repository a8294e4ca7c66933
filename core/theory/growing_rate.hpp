#pragma once

#include <cstdint>
#include <functional>

#include "core/probe/probe_policy.hpp"

namespace bloometry::theory {

/// One stage of a filter that grows (Almeida et al. 2007): k slices of w bits for n keys at rate P,
/// or num_blocks blocks of block_bits bits with k probes in one: free in model W (theory 6.1), each
/// in a lane of its own in model P (theory 6.2).
struct Stage {
  std::uint64_t capacity = 0;    // n_i keys
  double error_rate = 0.0;       // P_i
  unsigned num_hashes = 0;       // k_i slices, one probe in each
  std::uint64_t slice_bits = 0;  // w_i
  double max_fill = 0.5;         // slice fill at which stage change by fill closes it
  std::uint64_t num_blocks = 0;  // of a stage of blocks, which closes by fill at P
  unsigned block_bits = 0;
  ProbeModel block_model = ProbeModel::kWithReplacement;
};

/// A function that returns stage number i for i = 0, 1, ...; every number must have a stage.
using StageSource = std::function<Stage(unsigned)>;

enum class InsertPolicy { kCheckFirst, kBlind };
enum class StageChange { kFill, kCount };

/// The expected state of the filter after n distinct keys were offered.
struct GrowthState {
  double rate = 0.0;          ///< false positive rate over all stages
  double design_bound = 0.0;  ///< 1 - prod(1 - P_i) over the stages opened
  unsigned num_stages = 0;    ///< stages to which a key was offered; 1 if there are 0 keys
  double num_stored = 0.0;    ///< number of keys not skipped as already present
};

/// Returns the exact state for blind inserts with stage change by count: 1 - prod_i(1 -
/// (1-(1-1/w_i)^t_i)^k_i), with t_i keys in stage i (theory 4). For a stage of blocks the rate is
/// the mean over the binomial number of keys in a block. The relative error is 1e-14 at any rate.
GrowthState exact_growth(std::uint64_t num_keys, const StageSource& stages);

/// Returns the state for the other policies by a fluid recurrence (theory 4): per offered key u +=
/// 1 - F_old and stored += (1-F_old)(1-F_cur(u)), F_cur(u) = (1-(1-1/w)^u)^k; for blind inserts
/// both += 1. With stage change by count, a stage closes at stored >= n_i - 1/2, the nearest whole
/// number of keys; with blind inserts it closes at n_i. With stage change by fill, a stage closes
/// when the next key could raise its fill above max_fill. This is at a slice fill over max_fill -
/// 1/w, so that rate <= design_bound. Errors by count, compared with simulation: 0.6 % for first
/// stages of at least 100 keys, 5 % for any first stage. Errors by fill: 0.3 % for first stages of
/// 1000 keys (1 % where such a stage ends), 5 % at 100 keys, 30 % at 3 keys (fluid_rate_test.cpp).
///
/// Stages of blocks: F_cur(u) is the mean over Bin(u, 1/b) keys of a block. A stage closes by fill
/// if one more key would raise F_cur above P; in lanes, if a key that sets a new bit in each would.
/// Errors against simulation: 0.6 % for first stages of
/// 1000 keys (2 % where such a stage ends), 5 % for any.
///
/// u is linear in the keys of a stage, so the fill has a closed form and the stored count is a sum
/// of a smooth function. The sum uses Euler-Maclaurin with Gauss quadrature, and plain summation
/// below 64 keys. The result agrees with a loop over single keys to better than 1e-9
/// (growing_rate_test.cpp). Cost: microseconds per stage, even for 1e8 keys.
GrowthState fluid_growth(std::uint64_t num_keys, const StageSource& stages, InsertPolicy policy,
                         StageChange change);

}  // namespace bloometry::theory
