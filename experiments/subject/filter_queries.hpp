#pragma once

#include <cstdint>
#include <vector>

#include "core/statistics/draws.hpp"
#include "experiments/subject/subject.hpp"

namespace bloometry {

/// Queries one filter of a subject at one load. Requests mix members, new absent keys and repeated
/// keys, in an order that depends on the seed. The subject therefore cannot distinguish members
/// from absent keys by position. The answer for a repeated key must not change.
class FilterQueries {
 public:
  struct Members {
    std::uint64_t trial = 0;
    std::uint64_t num_inserted = 0;
    std::uint64_t num_queried = 0;  ///< number of queried members, equally spaced
  };

  struct Answers {
    std::uint64_t num_queries = 0;  ///< number of absent keys queried for the first time
    std::uint64_t num_false_positives = 0;
    std::uint64_t num_member_queries = 0;  ///< number of members queried for the first time
    std::uint64_t num_lost = 0;            ///< number of members that were not found
    std::uint64_t num_repeats = 0;         ///< number of repeated keys
    std::uint64_t num_changed = 0;         ///< number of repeated keys whose answer changed

    [[nodiscard]] std::uint64_t num_keys() const noexcept {
      return num_queries + num_member_queries + num_repeats;
    }
  };

  /// Prepares the queries. The parameter first_absent is the index of the trial's first unused
  /// absent key.
  FilterQueries(Subject& subject, const Members& members, std::uint64_t first_absent,
                std::uint64_t seed);

  [[nodiscard]] bool has_members_left() const noexcept {
    return num_members_done_ < members_.num_queried;
  }

  /// Returns the index of the next unused absent key.
  [[nodiscard]] std::uint64_t next_absent() const noexcept { return next_absent_; }

  /// Sends one request of at most `size` keys, with at most max_absent new absent keys.
  Answers send_mixed(std::size_t size, std::uint64_t max_absent);

  /// Queries some of the earlier keys again.
  Answers repeat();

 private:
  enum class Kind : char { kMember, kAbsent, kRepeat };

  struct Query {
    std::uint64_t item = 0;
    Kind kind = Kind::kAbsent;
    char before = '1';  // required answer of a repeated key
  };

  void add_members(std::uint64_t count);
  void add_absent_keys(std::uint64_t count);
  void add_repeats(std::uint64_t count);
  void add_members_again(std::uint64_t count);
  [[nodiscard]] std::uint64_t member_item(std::uint64_t i) const;

  [[nodiscard]] bool remembers() const noexcept {
    return !false_positives_.empty() || !true_negatives_.empty();
  }

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
  std::vector<std::uint64_t> false_positives_;  // absent keys that tested positive
  std::vector<std::uint64_t> true_negatives_;   // absent keys that tested negative
  std::vector<Query> queries_;
};

}  // namespace bloometry
