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

/// Benchmark targets: filters of this library and of other libraries behind one interface. A call
/// receives a block of keys. The compiler can therefore inline the filter into the loop over the
/// keys.
namespace bloometry::bench {

/// A filter that hashes the keys of its calls, so that the measured time includes the hashing.
/// Several threads may call count_positives at the same time.
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
  /// Erases the keys and returns the number of keys that were erased. If all keys are members, the
  /// function erases all of them.
  virtual std::uint64_t erase(IntegerKeys keys, Call call) = 0;
  virtual std::uint64_t erase(StringKeys keys, Call call) = 0;
  virtual void clear() = 0;
  /// Returns the current size of all cells in bits.
  [[nodiscard]] virtual std::uint64_t num_bits() const = 0;
};

/// The requested properties of a target.
struct TargetRequest {
  std::uint64_t num_keys = 0;
  double rate = 0;  ///< false-positive rate for sizing
  KeyKind keys = KeyKind::kInteger;
  std::string hash;        ///< hash of this library's filters; peers have their own hash
  std::uint64_t seed = 0;  ///< seed of the hash
  std::optional<std::uint64_t> initial_capacity{};  ///< if the filter grows; default num_keys
};

/// The description of a target that can be built, or the reason why a target cannot be built.
struct TargetPlan {
  std::string name;
  bool is_peer = false;
  std::string refusal{};       ///< reason why the target cannot be built, or empty
  std::string hash{};          ///< name of the target's hash
  std::uint64_t num_bits = 0;  ///< expected size
  unsigned num_hashes = 0;     ///< 0 if the target has no single k
  std::optional<double> expected_rate{};
  /// Number of keys for which the first stage is planned, if the filter grows.
  std::optional<std::uint64_t> initial_capacity{};
  bool can_erase = false;
  bool is_concurrent =
      false;  ///< several threads may insert at the same time; all targets allow concurrent queries
  bool has_batch = false;  ///< true if the filter has batch calls
  std::function<std::unique_ptr<BenchmarkTarget>()> build{};
};

/// A kind of target with its name, and a function that plans the target for a request.
struct TargetKind {
  std::string name;
  bool is_peer = false;
  bool is_concurrent = false;
  std::function<TargetPlan(const TargetRequest&)> plan;
};

/// Returns every variant of AllVariants, followed by the variants into which several threads may
/// insert. The names of the concurrent variants have the prefix `atomic_`.
[[nodiscard]] std::vector<TargetKind> variant_targets();

/// Returns the names of the hashes with which this library's filters can be timed. The first hash
/// is the default.
[[nodiscard]] std::vector<std::string_view> bench_hashes();

}  // namespace bloometry::bench
