#pragma once

#include "core/probe/bit_fields.hpp"
#include "core/probe/distinct.hpp"
#include "core/probe/double_hashing.hpp"
#include "core/probe/enhanced_double_hashing.hpp"
#include "core/probe/independent.hpp"
#include "core/probe/remix.hpp"
#include "core/probe/triple_hashing.hpp"

namespace bloometry {

/// All schemes that draw positions from the whole range, with the default scheme first.
using AllProbes =
    ProbeList<RemixProbes, IndependentProbes, DistinctProbes, DoubleModProbes, DoubleModOddProbes,
              DoubleModAnyProbes, DoubleFastrangeProbes, DoubleFastrangeOddProbes,
              EnhancedDoubleModProbes, EnhancedDoubleModOddProbes, EnhancedDoubleFastrangeProbes,
              TripleModProbes>;

/// Schemes of model W, for filters whose counters need probes that may repeat.
using WithReplacementProbes =
    ProbeList<RemixProbes, IndependentProbes, DoubleModProbes, DoubleModOddProbes,
              DoubleModAnyProbes, DoubleFastrangeProbes, DoubleFastrangeOddProbes,
              EnhancedDoubleModProbes, EnhancedDoubleModOddProbes, EnhancedDoubleFastrangeProbes,
              TripleModProbes>;

/// Schemes for a block of 2^a cells. The list includes three kinds of double hashing for study.
/// Theory 6.1 gives the effect of double hashing on the rate in a block.
using BlockProbes = ProbeList<BitFieldProbes, RemixProbes, IndependentProbes, DistinctProbes,
                              DoubleModOddProbes, DoubleModAnyProbes, EnhancedDoubleModProbes>;

/// Schemes that produce 64-bit words, for filters in which each probe has its own range.
using WordProbes = ProbeList<RemixProbes, IndependentProbes, DoubleFastrangeProbes,
                             DoubleFastrangeOddProbes, EnhancedDoubleFastrangeProbes>;

}  // namespace bloometry
