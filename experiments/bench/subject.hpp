#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/bench/key_block.hpp"
#include "experiments/bench/operation.hpp"

/// What is measured: filters of ours and of others behind one interface. A call takes a block of
/// keys, so that the loop over them is compiled beside the filter and inlined.
namespace bloometry::bench {

/// A filter that keys are given to; it hashes them itself, inside the timing. Several threads may
/// call count_positives at once.
class Subject {
 public:
  Subject() = default;
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  virtual ~Subject() = default;

  virtual void insert(IntegerKeys keys, Call call) = 0;
  virtual void insert(StringKeys keys, Call call) = 0;
  [[nodiscard]] virtual std::uint64_t count_positives(IntegerKeys keys, Call call) = 0;
  [[nodiscard]] virtual std::uint64_t count_positives(StringKeys keys, Call call) = 0;
  /// Returns how many erases were carried out: all of them, if all are members.
  virtual std::uint64_t erase(IntegerKeys keys, Call call) = 0;
  virtual std::uint64_t erase(StringKeys keys, Call call) = 0;
  virtual void clear() = 0;
  /// Memory of all cells as it is now.
  [[nodiscard]] virtual std::uint64_t num_bits() const = 0;
};

/// What a subject is built for.
struct SubjectRequest {
  std::uint64_t num_keys = 0;
  double rate = 0;  ///< false-positive rate it is sized for
  KeyKind keys = KeyKind::kInteger;
  std::string hash;        ///< of the library's own filters; peers hash as they do
  std::uint64_t seed = 0;  ///< of that hash
  std::optional<std::uint64_t> initial_capacity{};  ///< of a filter that grows; else num_keys
};

/// A subject that could be built: or why not.
struct SubjectPlan {
  std::string name;
  bool is_peer = false;
  std::string refusal{};       ///< why it cannot serve the request; empty if it can
  std::string hash{};          ///< what it hashes with
  std::uint64_t num_bits = 0;  ///< memory to expect
  unsigned num_hashes = 0;     ///< 0: it has no one k
  std::optional<double> expected_rate{};
  bool can_erase = false;
  bool is_concurrent = false;  ///< several threads may insert at once; all may be asked so
  bool has_batch = false;      ///< a batch call of its own; else it is a loop, and not timed
  std::function<std::unique_ptr<Subject>()> build{};
};

/// Something that can be measured, by name.
struct SubjectKind {
  std::string name;
  bool is_peer = false;
  bool is_concurrent = false;
  std::function<SubjectPlan(const SubjectRequest&)> plan;
};

/// Every variant of AllVariants, then those that several threads may insert into, with `atomic_`
/// before their names.
[[nodiscard]] std::vector<SubjectKind> variant_subjects();

/// Names of the hashes that the library's filters can be timed with, the default first.
[[nodiscard]] std::vector<std::string_view> bench_hashes();

}  // namespace bloometry::bench
