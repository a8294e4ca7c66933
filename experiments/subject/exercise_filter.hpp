#pragma once

#include <cstdint>

#include "experiments/subject/subject.hpp"

namespace bloometry {

/// Operations besides insert and query that a subject must handle before it is measured.
struct Exercises {
  bool merge = false;       ///< half of the members arrive in second filters and are merged
  bool erase = false;       ///< inserts and erases more keys; erases absent keys
  bool saturation = false;  ///< inserts one member 20 more times and erases it 15 times
};

/// The exercised filter: its trial, its number of keys, and the unused key numbers.
struct ExercisedFilter {
  std::uint64_t trial = 0;
  std::uint64_t num_keys = 0;
  std::uint64_t free_member = 0;  ///< index of the first member that is never inserted otherwise
  std::uint64_t free_absent = 0;  ///< index of the first unused absent key
};

struct EraseAnswers {
  std::uint64_t num_absent_used = 0;  ///< absent keys that were used
  std::uint64_t num_refused = 0;      ///< erases of members that failed
  std::uint64_t num_wrongful = 0;     ///< erases of keys that the filter itself reported absent
};

/// Inserts a quarter more keys and erases them again; then erases keys that the filter reports
/// absent.
/// @throws IoError if the filter is full.
[[nodiscard]] EraseAnswers exercise_erase(Subject& subject, const ExercisedFilter& filter);

/// Inserts the first member many times and erases it fewer times: sticky counters keep it, wrapping
/// ones lose it. @throws IoError if the filter is full.
void exercise_saturation(Subject& subject, const ExercisedFilter& filter);

}  // namespace bloometry
