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

/// Benchmark targets: filters of ours and of other libraries behind one interface. A call gets a
/// block of keys, so that the loop over them is compiled together with the filter and inlined.
namespace bloometry::bench {

/// A filter that receives keys and hashes them itself, inside the timing. Several threads may call
/// count_positives at once.
class BenchmarkTarget {
 public:
  BenchmarkTarget() = default;
  BenchmarkTarget(const BenchmarkTarget&) = delete;
  BenchmarkTarget& operator=(const BenchmarkTarget&) = delete;
  virtual ~BenchmarkTarget() = default;

  virtual void insert(IntegerKeys keys, Call call) = 0;
  virtual void insert(StringKeys keys, Call call) = 0;
  [[nodiscard]] virtual std::uint64_t count_positives(IntegerKeys keys, Call call) = 0;
  [[nodiscard]] virtual std::uint64_t count_positives(StringKeys keys, Call call) = 0;
  /// Returns how many erases succeeded: all of them, if all are members.
  virtual std::uint64_t erase(IntegerKeys keys, Call call) = 0;
  virtual std::uint64_t erase(StringKeys keys, Call call) = 0;
  virtual void clear() = 0;
  /// Returns the present memory of all cells, in bits.
  [[nodiscard]] virtual std::uint64_t num_bits() const = 0;
};

/// The requested properties of a target.
struct TargetRequest {
  std::uint64_t num_keys = 0;
  double rate = 0;  ///< false-positive rate for sizing
  KeyKind keys = KeyKind::kInteger;
  std::string hash;        ///< for the library's own filters; peers use their own hash
  std::uint64_t seed = 0;  ///< seed of that hash
  std::optional<std::uint64_t> initial_capacity{};  ///< for a filter that grows; default: num_keys
};

/// A target that can be built, or the reason why it cannot.
struct TargetPlan {
  std::string name;
  bool is_peer = false;
  std::string refusal{};       ///< reason why it cannot be built; empty if it can
  std::string hash{};          ///< name of its hash
  std::uint64_t num_bits = 0;  ///< expected memory
  unsigned num_hashes = 0;     ///< 0: it does not have a single k
  std::optional<double> expected_rate{};
  bool can_erase = false;
  bool is_concurrent =
      false;  ///< several threads may insert at once; all targets allow concurrent queries
  bool has_batch = false;  ///< has its own batch call; otherwise a loop, which is not timed
  std::function<std::unique_ptr<BenchmarkTarget>()> build{};
};

/// A kind of target, by name.
struct TargetKind {
  std::string name;
  bool is_peer = false;
  bool is_concurrent = false;
  std::function<TargetPlan(const TargetRequest&)> plan;
};

/// Returns every variant of AllVariants, then those into which several threads may insert, with the
/// prefix `atomic_`.
[[nodiscard]] std::vector<TargetKind> variant_targets();

/// Returns the names of the hashes with which the library's filters can be timed, the default
/// first.
[[nodiscard]] std::vector<std::string_view> bench_hashes();

}  // namespace bloometry::bench
