#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "experiments/plan/unit_frame.hpp"
#include "experiments/rows/unit_result.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// The units that the lines of a run folder may be of.
class UnitLookup {
 public:
  UnitLookup() = default;
  UnitLookup(const UnitLookup&) = delete;
  UnitLookup& operator=(const UnitLookup&) = delete;
  virtual ~UnitLookup() = default;

  /// The unit with the id of the result; null if there is none. Valid while the lookup lives.
  [[nodiscard]] virtual const Unit* find(const UnitResult& result) = 0;

  /// The unit with this id, if it is known without a result; null if not.
  [[nodiscard]] virtual const Unit* find(std::string_view id) const = 0;
};

/// Units whose points are known: those of expand().
class PlannedUnits final : public UnitLookup {
 public:
  /// @param units outlive the lookup.
  explicit PlannedUnits(std::span<const Unit> units);

  [[nodiscard]] const Unit* find(const UnitResult& result) override;
  [[nodiscard]] const Unit* find(std::string_view id) const override;

 private:
  std::unordered_map<std::string_view, const Unit*> units_;
};

/// Units whose points are those of their rows. That the rows are of the frame is proved by the id,
/// which is a hash of both.
class FramedUnits final : public UnitLookup {
 public:
  /// @param config outlives the lookup. @throws ConfigFileError as unit_frames() does.
  explicit FramedUnits(const Config& config);

  [[nodiscard]] const Unit* find(const UnitResult& result) override;
  [[nodiscard]] const Unit* find(std::string_view id) const override;

  [[nodiscard]] std::size_t num_units() const noexcept { return planned_.frames.size(); }

  /// The units found so far, sorted by id; the lookup has none left.
  [[nodiscard]] std::vector<Unit> take_found();

 private:
  /// What rows say of their unit: variant, keys, hash, probes, params, trial; the least n.
  using Name = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view,
                          std::string_view, std::uint64_t, std::uint64_t>;
  using Frames = std::vector<const UnitFrame*>;

  /// The frames of a name whose filter with that k has that many bits: several if they differ in
  /// their churns. Worked out for each k that rows have.
  const Frames& frames_of(const Name& name, unsigned num_hashes, std::uint64_t num_bits);

  const Config& config_;
  UnitFrames planned_;
  std::map<Name, Frames> frames_;
  std::map<std::tuple<Name, unsigned>, std::unordered_map<std::uint64_t, Frames>> sized_frames_;
  std::map<std::string, Unit, std::less<>> found_;
};

}  // namespace bloometry
