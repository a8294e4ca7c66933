#include <algorithm>
#include <cmath>
#include <sstream>
#include <string_view>

#include "core/contract/params.hpp"
#include "core/error.hpp"
#include "core/store/prefetch.hpp"
#include "tests/differential/configurations.hpp"

namespace bloometry::test {
namespace {

/// Size in bits of a filter that is just large enough for batches to prefetch.
constexpr std::uint64_t kLargeBits = 8 * (kMinPrefetchBytes + kMinPrefetchBytes / 16);
constexpr std::uint64_t kMostBits = std::uint64_t{1} << 25U;

std::uint64_t whole_log_between(double first, double last, Random& random) {
  return static_cast<std::uint64_t>(random.log_between(first, std::max(first, last)));
}

std::string any_choice(std::string_view choices, Random& random) {
  std::vector<std::string> texts;
  std::istringstream in{std::string(choices)};
  for (std::string text; std::getline(in, text, '|');) texts.push_back(text);
  return random.pick(texts);
}

/// Draws a value of the parameter within its declared bounds. About half of the integer values are
/// powers of two, if the parameter does not list its choices.
ParamValue any_value(const ParamInfo& param, Random& random) {
  if (param.kind == ParamKind::kText) return any_choice(param.choices, random);
  if (!param.choices.empty()) return std::stod(any_choice(param.choices, random));
  if (param.kind == ParamKind::kReal) return random.log_between(param.min, param.max);
  if (random.one_in(2)) return std::floor(random.log_between(param.min, param.max + 0.999));
  return std::exp2(std::floor(std::log2(random.log_between(param.min, param.max))));
}

/// Draws the shape of a growing filter whose few stages fit in the memory of a test.
Shape draw_growing(const Configuration& configuration, std::uint64_t num_operations,
                   Random& random) {
  const double highest_rate = configuration.is_large ? 0.01 : 0.5;
  Shape shape{.spec = {.target_false_positive_rate = random.log_between(1e-6, highest_rate)},
              .num_keys = whole_log_between(16, static_cast<double>(num_operations), random)};
  draw_params(configuration.scheme, shape.spec, random);
  const auto bound = [&](const char* name, double value) {
    if (shape.spec.params.contains(name)) shape.spec.params[name] = value;
  };
  const auto operations = static_cast<double>(num_operations);
  const double growth = random.one_in(4) ? 1 : random.log_between(1.5, 4);
  shape.spec.params["growth_factor"] = growth;
  shape.spec.params["initial_capacity"] =
      configuration.is_large
          ? 1.5e6
          : std::floor(random.log_between(growth > 1 ? 1 : operations / 64, operations / 2));
  bound("tightening_ratio", random.log_between(0.5, 0.95));
  bound("initial_rate", random.log_between(1e-6, 0.9));
  bound("max_capacity", std::floor(random.log_between(operations / 8, operations)));
  return shape;
}

/// Draws a number of cells m >= 1. In half of the draws, m has many divisors, for fold().
std::uint64_t draw_num_cells(const Configuration& configuration, unsigned cell_bits,
                             unsigned num_hashes, Random& random) {
  if (configuration.is_large) return (random.one_in(8) ? kMostBits : kLargeBits) / cell_bits;
  if (random.one_in(8)) return random.between(1, 64);
  const std::uint64_t num_cells = whole_log_between(64, 65536, random);
  const std::uint64_t multiple = random.one_in(2) ? 12 * std::uint64_t{num_hashes} : 24;
  return random.one_in(2) ? num_cells : std::max<std::uint64_t>(1, num_cells / multiple) * multiple;
}

Shape draw_fixed(const Configuration& configuration, Random& random) {
  const VariantScheme& scheme = configuration.scheme;
  const unsigned num_hashes =
      scheme.hashes_near(static_cast<unsigned>(random.between(1, random.one_in(4) ? 64 : 16)));
  FilterSpec spec{.num_bits = 64, .num_hashes = num_hashes};
  draw_params(scheme, spec, random);
  if (configuration.is_large) spec.params.erase("saturation");
  if (scheme.forgets()) {
    spec.params["generation_capacity"] = std::floor(random.log_between(1, 1000));
  }
  spec.num_bits = 64 * 64;
  const Geometry some = scheme.geometry(spec);
  const std::uint64_t num_cells = draw_num_cells(configuration, some.cell_bits, num_hashes, random);
  spec.num_bits =
      std::max<std::uint64_t>(1, num_cells / some.block_cells) * some.block_cells * some.cell_bits;
  // The loads range from nearly empty to overfull filters.
  const double load = configuration.is_large ? 0.02 : random.log_between(0.1, 4);
  const double num_keys = load * static_cast<double>(num_cells) / num_hashes;
  return {spec, std::clamp<std::uint64_t>(static_cast<std::uint64_t>(num_keys), 1, 1U << 13U)};
}

}  // namespace

void draw_params(const VariantScheme& scheme, FilterSpec& spec, Random& random) {
  for (const ParamInfo& param : scheme.variant->params) {
    if (scheme.params.contains(param.name) || random.one_in(2)) continue;
    spec.params[std::string(param.name)] = any_value(param, random);
  }
}

Shape draw_shape(const Configuration& configuration, std::uint64_t num_operations, Random& random) {
  while (true) {
    try {
      Shape shape = configuration.scheme.can("grow")
                        ? draw_growing(configuration, num_operations, random)
                        : draw_fixed(configuration, random);
      const Params& own = configuration.scheme.params;
      shape.spec.params.insert(own.begin(), own.end());
      static_cast<void>(configuration.make(shape.spec, 0));
      return shape;
    } catch (const ConfigError&) {
      // The variant rejects this combination, for instance L not a power of two, or k > m with
      // distinct probes.
    }
  }
}

std::string text_of(const FilterSpec& spec) {
  std::string text;
  const auto add = [&](const std::string& name, const ParamValue& value) {
    text += (text.empty() ? "" : " ") + name + "=" + to_string(value);
  };
  if (spec.capacity) add("capacity", static_cast<double>(*spec.capacity));
  if (spec.num_bits) add("num_bits", static_cast<double>(*spec.num_bits));
  if (spec.num_hashes) add("num_hashes", static_cast<double>(*spec.num_hashes));
  if (spec.target_false_positive_rate) add("rate", *spec.target_false_positive_rate);
  if (spec.max_fill) add("max_fill", *spec.max_fill);
  for (const auto& [name, value] : spec.params) add(name, value);
  return text;
}

}  // namespace bloometry::test
