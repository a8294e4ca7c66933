#pragma once

#include <span>
#include <string_view>

#include "experiments/output/file_hashes.hpp"
#include "experiments/verdict/verdict.hpp"

namespace bloometry {

/// The conclusion about a run. A run confirms theory only if at least one test was made.
enum class Conclusion {
  kAccepted,
  kRejected,    ///< a row deviates
  kAltered,     ///< check_files() found a fault in a file, so the rows are unreliable
  kIncomplete,  ///< some units or all rows are missing
  kNothingTested,
};

/// Returns the conclusion. @param files result of check_files() for the same run
[[nodiscard]] Conclusion conclude(const Verdict& verdict, std::span<const CheckedFile> files);

/// Returns `accepted`, `rejected`, `altered`, `incomplete` or `nothing tested`.
[[nodiscard]] std::string_view name_of(Conclusion conclusion);

[[nodiscard]] bool has_faults(std::span<const CheckedFile> files);

}  // namespace bloometry
