#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tests/differential/configurations.hpp"
#include "tests/differential/model.hpp"
#include "tests/differential/random.hpp"
#include "tests/differential/tested_filter.hpp"

namespace bloometry::test {

/// Returns the least number of key operations in the sequence. A sequence depends only on the seed
/// and the sequence number, so a failing sequence can be run alone.
[[nodiscard]] std::uint64_t planned_operations(std::uint64_t seed, std::uint64_t sequence);

struct SequenceResult {
  std::uint64_t num_operations = 0;
  std::uint64_t checksum = 0;  ///< checksum of all answers and states
  std::string failure{};       ///< error message, or empty if the sequence succeeded
};

/// Runs one sequence. Draws a filter of the configuration and executes steps until the planned
/// operations are done. Compares the filter with an exact multiset of keys and with a second
/// filter, its twin.
///
/// The function passes keys to the filter in batches, and to the twin, which has the same class,
/// one by one. When the filter is merged with another filter, the function inserts the other
/// filter's keys into the twin. The cells of the filter and the twin must be equal.
[[nodiscard]] SequenceResult run_sequence(const Configuration& configuration, std::uint64_t seed,
                                          std::uint64_t sequence);

/// The state of a sequence, and its steps.
class Sequence {
 public:
  Sequence(const Configuration& configuration, std::uint64_t seed, std::uint64_t sequence);

  void run();

  [[nodiscard]] std::uint64_t num_operations() const noexcept { return num_operations_; }

  [[nodiscard]] std::uint64_t checksum() const noexcept { return checksum_; }

  /// Returns a description of the filter and the step, for failure messages.
  [[nodiscard]] std::string location() const;

 private:
  static constexpr std::size_t kMostKeys = 1024;

  using Keys = std::vector<Key>;
  using WholeStep = void (Sequence::*)();

  struct NamedStep {
    const char* name;
    WholeStep step;
  };

  // Defined in sequence.cpp: steps on keys. Each key counts as one operation.
  void step();
  void insert_keys(const Keys& given);
  std::size_t insert_both(const Keys& keys);
  void query_keys(const Keys& keys);
  void query_bits(const Keys& keys, std::span<const bool> expected);
  void erase_keys(const Keys& candidates);
  bool erase_from_twin(Key key);
  void require_members();

  // Defined in draws.cpp: selection of keys.
  [[nodiscard]] std::size_t draw_length();
  [[nodiscard]] Keys draw_keys(std::uint64_t num_keys);
  [[nodiscard]] Keys draw_keys_to_erase();
  [[nodiscard]] Keys draw_some_keys();

  // Defined in whole_filter.cpp: steps on the whole filter.
  [[nodiscard]] std::vector<NamedStep> whole_steps() const;
  void merge();
  void merge_itself();
  void intersect();
  void refuse_unlike();
  void fold();
  void tick();
  void clear();
  void copy();
  void assign();
  void move();
  void swap();
  void erase_absent();
  void count_once();
  void repair();

  // Defined in checks.cpp:
  void check_all();
  void check_state();
  void check_counts(const FilterState& state);
  void check_words(const FilterState& state);
  void check_estimate(const FilterState& state);
  void check_rebuilt();
  void require_equal_filters(const char* what) const;
  [[nodiscard]] bool determines_cells() const;
  [[nodiscard]] std::unique_ptr<TestedFilter> make(const FilterSpec& spec) const;
  [[nodiscard]] std::unique_ptr<TestedFilter> built_of(const Keys& keys) const;
  [[nodiscard]] bool is_worthwhile(double num_cells);
  void remember(std::uint64_t value);

  const Configuration& configuration_;
  std::uint64_t planned_;
  Random random_;
  std::uint64_t hash_seed_;
  Shape shape_;
  Geometry geometry_;
  bool erases_wrongly_;  ///< whether the sequence erases absent keys that test positive
  bool is_clamped_;      ///< whether an erase decrements counters at their maximum
  bool has_own_rule_;    ///< whether a probe may fail on a cell that is not 0
  Model model_;
  std::unique_ptr<TestedFilter> filter_;
  std::unique_ptr<TestedFilter> twin_;
  TestedFilter::Abilities can_;
  std::vector<NamedStep> whole_steps_;

  std::uint64_t num_refused_ = 0;  ///< refused erases since the last clear
  std::uint64_t num_inserts_ = 0;  ///< inserts since the last clear
  std::uint64_t num_new_ = 0;      ///< inserts that returned true since the last clear
  std::uint64_t num_operations_ = 0;
  std::uint64_t num_steps_ = 0;
  const char* step_name_ = "construction";
  double spent_ = 0;  ///< cost of the work on the whole filter so far, in operations
  std::uint64_t checksum_ = 0;
};

}  // namespace bloometry::test
