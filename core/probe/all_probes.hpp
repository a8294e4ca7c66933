#pragma once

#include "core/probe/bit_fields.hpp"
#include "core/probe/distinct.hpp"
#include "core/probe/double_hashing.hpp"
#include "core/probe/enhanced_double_hashing.hpp"
#include "core/probe/independent.hpp"
#include "core/probe/remix.hpp"
#include "core/probe/triple_hashing.hpp"

namespace bloometry {

/// Every scheme that draws from the whole range, the default first.
using AllProbes =
    ProbeList<RemixProbes, IndependentProbes, DistinctProbes, DoubleModProbes, DoubleModOddProbes,
              DoubleModAnyProbes, DoubleFastrangeProbes, DoubleFastrangeOddProbes,
              EnhancedDoubleModProbes, EnhancedDoubleModOddProbes, EnhancedDoubleFastrangeProbes,
              TripleModProbes>;

/// The schemes of model W, for filters whose counters need probes that may repeat.
using WithReplacementProbes =
    ProbeList<RemixProbes, IndependentProbes, DoubleModProbes, DoubleModOddProbes,
              DoubleModAnyProbes, DoubleFastrangeProbes, DoubleFastrangeOddProbes,
              EnhancedDoubleModProbes, EnhancedDoubleModOddProbes, EnhancedDoubleFastrangeProbes,
              TripleModProbes>;

/// The schemes for a range of 2^a cells that is a block. Only the three kinds of double hashing
/// whose cost in a block is known (theory 6.1) are included, for study.
using BlockProbes = ProbeList<BitFieldProbes, RemixProbes, IndependentProbes, DistinctProbes,
                              DoubleModOddProbes, DoubleModAnyProbes, EnhancedDoubleModProbes>;

/// The schemes made of 64-bit words, for filters in which each probe has its own range.
using WordProbes = ProbeList<RemixProbes, IndependentProbes, DoubleFastrangeProbes,
                             DoubleFastrangeOddProbes, EnhancedDoubleFastrangeProbes>;

}  // namespace bloometry
