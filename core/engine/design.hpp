#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "core/contract/filter_spec.hpp"
#include "core/contract/filter_state.hpp"
#include "core/contract/params.hpp"
#include "core/contract/variant_description.hpp"
#include "core/hash/digest.hpp"
#include "core/probe/all_probes.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/store/memory.hpp"

/// A design defines the positions, the test, the update, the rate and the limits of a variant
/// (variants/README.md). An engine makes a filter from a design. The engine is CellFilter
/// (cell_filter.hpp) if a probe may fall on any cell. The engine is BlockFilter (block_filter.hpp)
/// if all probes of a key fall in one block.
namespace bloometry {

/// Properties of a design.
struct Traits {
  bool erase = false;               ///< whether the design has the hook `erase`
  bool merge = false;               ///< whether two filters can be merged cell by cell
  bool intersect = false;           ///< whether the AND of two filters contains the common keys
  bool fold = false;                ///< whether a smaller filter can be computed from the cells
  bool estimate = false;            ///< whether a cell is 0 if and only if no probe fell on it
  bool distinct_positions = false;  ///< whether an update changes a repeated position once
};

/// Parameters of a design: Design::kParams, or an empty list if the design does not have kParams.
template <class Design>
inline constexpr std::span<const ParamInfo> kParamsOf = [] {
  if constexpr (requires { Design::kParams; }) return std::span<const ParamInfo>(Design::kParams);
  return std::span<const ParamInfo>();
}();

namespace engine {

template <class Design>
struct ProbesOf {
  using Supported = AllProbes;
};

template <class Design>
requires requires {
  typename Design::SupportedProbes;
}

struct ProbesOf<Design> {
  using Supported = typename Design::SupportedProbes;
};

}  // namespace engine

/// Schemes that a design supports: Design::SupportedProbes, or all schemes if the design does not
/// have SupportedProbes.
template <class Design>
using SupportedProbesOf = typename engine::ProbesOf<Design>::Supported;

/// Default scheme of a design, which is the first supported scheme.
template <class Design>
using DefaultProbesOf = std::tuple_element_t<0, SupportedProbesOf<Design>>;

/// Probe model of a design: Design::kModel, or the model of the scheme if the design does not have
/// kModel.
template <class Design, class Probes>
inline constexpr ProbeModel kModelOf = [] {
  if constexpr (requires { Design::kModel; }) return Design::kModel;
  return Probes::kModel;
}();

/// A design whose function position(word, i) maps word i of the scheme to the position of probe i.
template <class Design>
concept PlacesWords = requires(const Design& design, std::uint64_t word, unsigned i) {
  design.position(word, i);
};

/// A design that can insert a whole chunk of keys. chunk_insert<Probes>(num_cells, num_hashes)
/// returns the function that does so (variants/standard/remix_insert.hpp), or null if the
/// instruction set has none for this size.
template <class Design, class Probes>
concept InsertsChunks = requires(std::uint64_t num_cells, unsigned num_hashes) {
  Design::template chunk_insert<Probes>(num_cells, num_hashes);
};

/// A design with the type Words, which computes further random numbers from the digest of a key.
template <class Design>
concept DrawsWords = requires {
  typename Design::Words;
};

namespace engine {

struct NoWords {
  explicit constexpr NoWords(const Digest& /*digest*/) noexcept {}
};

template <class Design>
struct WordsOfDesign {
  using Type = NoWords;
};

template <DrawsWords Design>
struct WordsOfDesign<Design> {
  using Type = typename Design::Words;
};

template <class Design>
using WordsOf = typename WordsOfDesign<Design>::Type;

}  // namespace engine

/// A design that has settings in addition to the geometry.
template <class Design>
concept HasSettings = std::constructible_from<Design, const Geometry&, const Params&>;

/// A design whose function params(geometry) returns the parameters with which the design was made.
/// A design with kParams must satisfy HasParams.
template <class Design>
concept HasParams = requires(const Design& design, const Geometry& geometry) {
  { design.params(geometry) } -> std::same_as<Params>;
};

/// Returns the design for a geometry and for parameters from resolve_params.
template <class Design>
[[nodiscard]] Design design_for(const Geometry& geometry, const Params& params) {
  if constexpr (HasSettings<Design>) {
    return Design(geometry, params);
  } else if constexpr (std::constructible_from<Design, const Geometry&>) {
    return Design(geometry);
  } else {
    return Design();
  }
}

namespace engine {

/// Checks that a design has the members that every design needs. If a member is missing, the
/// compiler's error names the member.
template <class Design>
consteval bool is_described() {
  static_assert(
      requires { std::string_view(Design::kName); },
      "a design needs kName, the variant's name in configs: "
      "static constexpr std::string_view kName = \"...\";");
  static_assert(
      requires { Design::kDescription.summary; },
      "a design needs kDescription, its line in tables: "
      "static constexpr VariantDescription kDescription = {.summary = ...};");
  static_assert(
      requires { requires Design::kDescription.probe_passes != ProbePasses::kUnstated; },
      "a design needs kDescription.probe_passes, on which its theory depends: .probe_passes = "
      "ProbePasses::kIfNonzero if a probe passes if and only if its cell is not zero, otherwise "
      "ProbePasses::kByOwnRule");
  static_assert(
      requires { Traits(Design::kTraits); },
      "a design needs kTraits, its abilities: static constexpr Traits kTraits = {.merge = true};");
  static_assert(kParamsOf<Design>.empty() || HasParams<Design>,
                "a design with kParams tells what it was made with: "
                "Params params(const Geometry& geometry) const");
  static_assert(
      requires { typename Design::Cells; },
      "a design needs Cells, the kind of its cells: using Cells = Bits; or Counters<>");
  static_assert(
      requires(const FilterSpec& spec, const Params& params) {
        requires requires {
          { Design::geometry(spec) } -> std::same_as<Geometry>;
        } || requires {
          { Design::geometry(spec, params) } -> std::same_as<Geometry>;
        };
      },
      "a design needs geometry, which makes cells and hashes of a spec: "
      "static Geometry geometry(const FilterSpec& spec), or (spec, const Params& params)");
  return true;
}

/// Checks that a design with settings has the required members.
template <class Design>
consteval void check_settings() {
  static_assert(!HasSettings<Design> || std::equality_comparable<Design>,
                "a design with settings needs operator==: friend bool operator==(const D&, const "
                "D&) = default;");
  static_assert(!(HasSettings<Design> && Design::kTraits.fold),
                "a design with settings does not fold: the engine cannot make them anew");
  static_assert(
      !(HasSettings<Design> && (Design::kTraits.merge || Design::kTraits.intersect)) ||
          requires(const Design& design) { design.require_equal_settings(design); },
      "a design with settings that merges needs require_equal_settings: "
      "void require_equal_settings(const D& other) const");
}

}  // namespace engine
}  // namespace bloometry
