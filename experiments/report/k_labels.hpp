#pragma once

#include <map>
#include <optional>

#include "experiments/report/drawing.hpp"

namespace bloometry::report {

/// The place of a text beside a mark, in px from the centre of the mark.
struct KLabelPlace {
  double dx = 0;  ///< of the text's left end if positive, of its right end if negative
  double dy = 0;  ///< of the text's middle; negative is upwards
};

/// Returns the places of the texts that state the k of the rows in `named_num_hashes`. A text does
/// not cover a mark or another text. A row whose text has no such place has no entry.
[[nodiscard]] std::map<const SummaryRow*, KLabelPlace> k_label_places(const Drawing& drawing);

/// Returns the text beside the mark of a row, such as "k = 7".
[[nodiscard]] std::string k_label(const SummaryRow& row);

}  // namespace bloometry::report
