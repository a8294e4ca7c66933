#pragma once

#include <cstdint>
#include <vector>

#include "core/random/draws.hpp"
#include "experiments/subject/subject.hpp"

namespace bloometry {

/// Asks one filter of a subject at one load. Every request mixes, in an order that the seed gives,
/// members, absent keys that have not been asked before, and keys that have: members and absent
/// keys cannot be told apart by when they come, and an answer given twice must be the same.
class FilterQuestions {
 public:
  struct Members {
    std::uint64_t trial = 0;
    std::uint64_t num_inserted = 0;
    std::uint64_t num_asked = 0;  ///< of them, at equal distances, the first and the last included
  };

  struct Answers {
    std::uint64_t num_queries = 0;  ///< absent keys asked for the first time
    std::uint64_t num_hits = 0;
    std::uint64_t num_member_queries = 0;  ///< members asked for the first time
    std::uint64_t num_lost = 0;            ///< of them, not found
    std::uint64_t num_repeats = 0;         ///< keys asked again
    std::uint64_t num_changed = 0;         ///< of them, answered otherwise than before

    [[nodiscard]] std::uint64_t num_keys() const noexcept {
      return num_queries + num_member_queries + num_repeats;
    }
  };

  /// @param first_absent index of the first absent key of that trial that has not been used yet.
  FilterQuestions(Subject& subject, const Members& members, std::uint64_t first_absent,
                  std::uint64_t seed);

  [[nodiscard]] bool has_unasked_members() const noexcept {
    return num_members_done_ < members_.num_asked;
  }

  /// Index of the next absent key to use.
  [[nodiscard]] std::uint64_t next_absent() const noexcept { return next_absent_; }

  /// One request of at most `size` keys, max_absent of them new absent ones.
  Answers ask(std::size_t size, std::uint64_t max_absent);

  /// Asks some of the keys once more.
  Answers ask_again();

 private:
  enum class Kind : char { kMember, kAbsent, kRepeat };

  struct Question {
    std::uint64_t item = 0;
    Kind kind = Kind::kAbsent;
    char before = '1';  // the answer that a repeat must get
  };

  void add_members(std::uint64_t count);
  void add_absent_keys(std::uint64_t count);
  void add_repeats(std::uint64_t count);
  void add_members_again(std::uint64_t count);
  [[nodiscard]] std::uint64_t member_item(std::uint64_t i) const;

  [[nodiscard]] bool remembers() const noexcept { return !hits_.empty() || !misses_.empty(); }

  void remember(std::uint64_t item, char answer);
  Answers send();

  Subject& subject_;
  Members members_;
  std::uint64_t next_absent_;
  Draws order_;
  std::uint64_t first_member_;
  std::uint64_t member_stride_;
  std::uint64_t num_members_done_ = 0;
  std::uint64_t num_absent_done_ = 0;
  std::vector<std::uint64_t> hits_;  // absent keys that were called present, and the others
  std::vector<std::uint64_t> misses_;
  std::vector<Question> questions_;
};

}  // namespace bloometry
