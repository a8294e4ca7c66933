#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "experiments/plan/unit_frame.hpp"
#include "experiments/unit/unit.hpp"
#include "experiments/unit/unit_result.hpp"

namespace bloometry {

/// The interface of lookups. A lookup finds the unit to which a line of a run folder belongs.
class UnitLookup {
 public:
  UnitLookup() = default;
  UnitLookup(const UnitLookup&) = delete;
  UnitLookup& operator=(const UnitLookup&) = delete;
  virtual ~UnitLookup() = default;

  /// Returns the unit with the id of the result, or null if the unit does not exist. The pointer is
  /// valid during the lifetime of the lookup.
  [[nodiscard]] virtual const Unit* find(const UnitResult& result) = 0;

  /// Returns the unit with this id, or null if the lookup does not contain such a unit.
  [[nodiscard]] virtual const Unit* find(std::string_view id) const = 0;
};

/// A lookup among units with known points, for instance from expand().
class PlannedUnits final : public UnitLookup {
 public:
  /// @param units units of the lookup, which must outlive the lookup
  explicit PlannedUnits(std::span<const Unit> units);

  [[nodiscard]] const Unit* find(const UnitResult& result) override;
  [[nodiscard]] const Unit* find(std::string_view id) const override;

 private:
  std::unordered_map<std::string_view, const Unit*> units_;
};

/// A lookup that gets the points of a unit from the unit's rows. The unit's id is a hash of frame
/// and points, so the id proves that the rows belong to the frame.
class FramedUnits final : public UnitLookup {
 public:
  /// @param config config of the run, which must outlive the lookup
  /// @throws ConfigFileError as unit_frames() does
  explicit FramedUnits(const Config& config);

  [[nodiscard]] const Unit* find(const UnitResult& result) override;
  [[nodiscard]] const Unit* find(std::string_view id) const override;

  [[nodiscard]] std::size_t num_units() const noexcept { return planned_.frames.size(); }

  /// Returns the units found so far, sorted by id, and removes them from the lookup.
  [[nodiscard]] std::vector<Unit> take_found();

 private:
  /// The values of a unit that are also in its rows: variant, keys, hash, probes, params, trial,
  /// and the smallest n.
  using Name = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view,
                          std::string_view, std::uint64_t, std::uint64_t>;
  using Frames = std::vector<const UnitFrame*>;

  /// Returns the frames of a name whose filter has num_bits bits with this k. The result contains
  /// several frames if units differ only in their churn. frames_of() computes the frames of a name
  /// once per k.
  const Frames& frames_of(const Name& name, unsigned num_hashes, std::uint64_t num_bits);

  const Config& config_;
  UnitFrames planned_;
  std::map<Name, Frames> frames_;
  std::map<std::tuple<Name, unsigned>, std::unordered_map<std::uint64_t, Frames>> sized_frames_;
  std::map<std::string, Unit, std::less<>> found_;
};

}  // namespace bloometry
