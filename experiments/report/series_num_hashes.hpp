#pragma once

#include "experiments/report/drawing.hpp"

namespace bloometry::report {

/// Names k where the drawing differs in k: in the legend if each series has one k, otherwise in the
/// titles of views, or as a range in the legend. Names k in the caption if all series have the same
/// several k. The k of filled marks is named beside that of the others. Call
/// mark_other_num_hashes() before.
void name_num_hashes(Drawing& drawing);

/// Marks the rows whose k differs from the rest of their filter, and states it in the caption. The
/// caption counts only filled marks. A row of a rate without false positives has none.
void mark_other_num_hashes(Drawing& drawing);

}  // namespace bloometry::report
