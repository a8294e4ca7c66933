#pragma once

#include <span>
#include <string_view>

#include "experiments/output/file_hashes.hpp"
#include "experiments/verdict/verdict.hpp"

namespace bloometry {

/// What is said of a run: theory is only said to hold, or not to, where something was tested.
enum class Conclusion {
  kAccepted,
  kRejected,    ///< a row deviates
  kAltered,     ///< a file differs from its hash, so the rows are no evidence
  kIncomplete,  ///< units are missing, or there are no rows
  kNothingTested,
};

/// @param files check_files() of the same run
[[nodiscard]] Conclusion conclude(const Verdict& verdict, std::span<const CheckedFile> files);

/// `accepted`, `rejected`, `altered`, `incomplete`, `nothing tested`
[[nodiscard]] std::string_view name_of(Conclusion conclusion);

[[nodiscard]] bool has_faults(std::span<const CheckedFile> files);

}  // namespace bloometry
