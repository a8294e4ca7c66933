#pragma once

#include <cstdint>
#include <functional>

#include "core/probe/probe_policy.hpp"

namespace bloometry::theory {

/// One stage of a filter that grows (Almeida et al. 2007), for n keys at rate P. The stage has k
/// slices of w bits, or num_blocks blocks of block_bits bits. All k probes of a key fall into one
/// block. In model W, a probe can hit any bit of the block (theory 6.1). In model P, each probe has
/// its own lane (theory 6.2).
struct Stage {
  std::uint64_t capacity = 0;    // n_i keys
  double error_rate = 0.0;       // P_i
  unsigned num_hashes = 0;       // k_i slices, one probe in each
  std::uint64_t slice_bits = 0;  // w_i
  double max_fill = 0.5;         // slice fill at which the stage closes by fill
  std::uint64_t num_blocks = 0;  // number of blocks; a stage of blocks closes by fill at rate P
  unsigned block_bits = 0;
  ProbeModel block_model = ProbeModel::kWithReplacement;
};

/// A function that returns stage number i for i = 0, 1, 2 and so on. Every number must have a
/// stage.
using StageSource = std::function<Stage(unsigned)>;

enum class InsertPolicy { kCheckFirst, kBlind };
enum class StageChange { kFill, kCount };

/// The expected state of a growing filter after n distinct keys were offered.
struct GrowthState {
  double rate = 0.0;          ///< false positive rate over all stages
  double design_bound = 0.0;  ///< 1 - prod(1 - P_i) over the opened stages
  unsigned num_stages = 0;    ///< number of stages to which keys were offered, at least 1
  double num_stored = 0.0;    ///< number of stored keys (check-first inserts omit positive keys)
};

/// Returns the exact state for blind inserts with stage change by count. The rate is 1 - prod_i(1 -
/// (1-(1-1/w_i)^t_i)^k_i), with t_i keys in stage i (theory 4). The rate of a blocked stage is the
/// rate in a block, averaged over the binomially distributed number of keys in the block. The
/// relative error is 1e-14 at any rate.
GrowthState exact_growth(std::uint64_t num_keys, const StageSource& stages);

/// Returns the state for any policy by a fluid recurrence (theory 4). Let u be the number of keys
/// whose probes set bits of the current stage, and s the number of keys stored in it. Each offered
/// key increases u by 1 - F_old, and s by (1-F_old)(1-F_cur(u)). F_old is the rate of the closed
/// stages, and F_cur(u) = (1-(1-1/w)^u)^k is the rate of the current stage. With blind inserts,
/// each key increases both u and s by 1. With stage change by count, a stage closes at
/// s >= n_i - 1/2, which is n_i keys with blind inserts. With stage change by fill, it closes when
/// the next key could raise its fill above max_fill. The slice fill is then above max_fill - 1/w
/// and at most max_fill, so that rate <= design_bound.
///
/// For a stage of blocks, F_cur(u) is the rate in a block, averaged over the Bin(u, 1/b) keys in
/// the block. A stage of blocks closes by fill if one more key would raise F_cur above P. A stage
/// of lanes closes by fill if a key that sets a new bit in each lane would raise F_cur above P.
///
/// The following errors result from a comparison with simulation. The file fluid_rate_test.cpp
/// repeats the comparison for first stages of 1000 keys. With stage change by count, the error is
/// 0.6 % for first stages of at least 100 keys, and 5 % for any other. With stage change by fill,
/// it is 0.3 % for first stages of 1000 keys (1 % where such a stage ends). For smaller ones, it is
/// 5 % at 100 keys and 30 % at 3 keys. With stages of blocks, it is 0.6 % for first stages of 1000
/// keys (2 % where such a stage ends), and 5 % for any other.
///
/// In each stage, u is linear in the number of keys. The fill therefore has a closed form, and the
/// number of stored keys is a sum of a smooth function. The sum uses Euler-Maclaurin with Gauss
/// quadrature, and plain summation below 64 keys. The result agrees with a loop over single keys to
/// better than 1e-9 (growing_rate_test.cpp). The cost per stage is bounded for any number of keys.
GrowthState fluid_growth(std::uint64_t num_keys, const StageSource& stages, InsertPolicy policy,
                         StageChange change);

}  // namespace bloometry::theory
