#pragma once

#include <cstdint>

#include "experiments/subject/subject.hpp"

namespace bloometry {

/// Operations besides insert and query that a subject must survive before it is measured.
struct Exercises {
  bool merge = false;       ///< half of the members come in second filters that are merged
  bool erase = false;       ///< further keys come and go; absent keys are erased in vain
  bool saturation = false;  ///< one member is inserted 20 times more and erased 15 times
};

/// The filter that is exercised: its trial, how many keys it holds, and which numbers are free.
struct ExercisedFilter {
  std::uint64_t trial = 0;
  std::uint64_t num_keys = 0;
  std::uint64_t free_member = 0;  ///< index of the first member that is never inserted otherwise
  std::uint64_t free_absent = 0;  ///< index of the first absent key that is not used yet
};

struct EraseAnswers {
  std::uint64_t num_absent_used = 0;  ///< absent keys that are used up
  std::uint64_t num_refused = 0;      ///< erases of keys that were in the filter
  std::uint64_t num_wrongful = 0;     ///< erases of keys that the filter itself called absent
};

/// Inserts a quarter more keys and erases them again; then erases keys that the filter calls
/// absent.
/// @throws IoError if the filter is full.
[[nodiscard]] EraseAnswers exercise_erase(Subject& subject, const ExercisedFilter& filter);

/// Inserts the first member again and again and erases it less often: sticky counters keep it,
/// wrapping ones lose it. @throws IoError if the filter is full.
void exercise_saturation(Subject& subject, const ExercisedFilter& filter);

}  // namespace bloometry
