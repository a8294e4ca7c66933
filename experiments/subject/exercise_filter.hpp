#pragma once

#include <cstdint>

#include "experiments/subject/subject.hpp"

namespace bloometry {

/// The operations, besides insert and query, that a subject performs before the measurement.
struct Exercises {
  bool merge = false;       ///< true to insert half of the members by merges
  bool erase = false;       ///< true to insert and erase more keys, and to erase absent keys
  bool saturation = false;  ///< true to insert a member 20 more times and erase it 15 times
};

/// Trial number and number of keys of a filter, and the next unused keys for the exercises.
struct ExercisedFilter {
  std::uint64_t trial = 0;
  std::uint64_t num_keys = 0;
  std::uint64_t free_member = 0;  ///< index of the first member that is not inserted elsewhere
  std::uint64_t free_absent = 0;  ///< index of the first unused absent key
};

struct EraseAnswers {
  std::uint64_t num_absent_used = 0;  ///< number of absent keys that were used
  std::uint64_t num_refused = 0;      ///< number of failed erases of members
  std::uint64_t num_wrongful = 0;     ///< number of erased keys that the filter had reported absent
};

/// Inserts a quarter more keys and erases these additional keys again. Afterwards, erases keys that
/// the filter reports as absent.
/// @throws IoError if the filter is full.
[[nodiscard]] EraseAnswers exercise_erase(Subject& subject, const ExercisedFilter& filter);

/// Inserts the first member many times and erases this member fewer times. Filters with sticky
/// counters keep the key, and filters with wrapping counters lose the key. Throws IoError if the
/// filter is full.
void exercise_saturation(Subject& subject, const ExercisedFilter& filter);

}  // namespace bloometry
