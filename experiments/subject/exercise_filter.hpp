#pragma once

#include <cstdint>

#include "experiments/subject/subject.hpp"

namespace bloometry {

/// The operations, besides insert and query, that a subject performs before it is measured.
struct Exercises {
  bool merge = false;       ///< puts half of the members into second filters and merges these
  bool erase = false;       ///< inserts and erases more keys, and erases absent keys
  bool saturation = false;  ///< inserts one member 20 more times and erases it 15 times
};

/// The filter under exercise: its trial, its number of keys, and the next unused keys.
struct ExercisedFilter {
  std::uint64_t trial = 0;
  std::uint64_t num_keys = 0;
  std::uint64_t free_member = 0;  ///< index of the first member that no other step inserts
  std::uint64_t free_absent = 0;  ///< index of the first unused absent key
};

struct EraseAnswers {
  std::uint64_t num_absent_used = 0;  ///< number of absent keys that were used
  std::uint64_t num_refused = 0;      ///< failed erases of members
  std::uint64_t num_wrongful = 0;     ///< erases of keys that the filter had reported absent
};

/// Inserts a quarter more keys and erases them again. Then erases keys that the filter reports
/// absent.
/// @throws IoError if the filter is full.
[[nodiscard]] EraseAnswers exercise_erase(Subject& subject, const ExercisedFilter& filter);

/// Inserts the first member many times and erases it fewer times. Sticky counters keep the key,
/// wrapping ones lose it. @throws IoError if the filter is full.
void exercise_saturation(Subject& subject, const ExercisedFilter& filter);

}  // namespace bloometry
