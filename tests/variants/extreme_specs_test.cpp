#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/probe/limits.hpp"
#include "tests/support/catch.hpp"
#include "variants/registry/registry.hpp"

using namespace bloometry;

namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
constexpr double kInfiniteSize = std::numeric_limits<double>::infinity();

const std::vector<std::optional<std::uint64_t>> kCapacities = {
    std::nullopt, 0, 1, 2, 3, 1000, std::uint64_t{1} << 32U, std::uint64_t{1} << 53U, kMost};
const std::vector<double> kRates = {std::nan(""), kInfiniteSize, -0.0, 5e-324,      1e-310,
                                    1e-308,       1e-300,        0.01, 1 - 0x1p-53, 1.0};
const std::vector<std::uint64_t> kSizes = {
    0, 1, 511, 65'536, std::uint64_t{1} << 53U, std::uint64_t{1} << 57U, kMost};
const std::vector<double> kBitsPerKey = {std::nan(""), -1, 5e-324, 0.01, 10, 1e300, kInfiniteSize};
const std::vector<std::optional<unsigned>> kExtremeNumHashes = {
    std::nullopt, 0, 1, 7, 8, 16, 17, 64, 65, std::numeric_limits<unsigned>::max()};

/// Calls visit(spec) for each listed value of each size field.
template <class Visit>
void for_each_size(const FilterSpec& without, Visit visit) {
  const auto visit_all = [&](const auto& values, auto member) {
    for (const auto value : values) {
      FilterSpec spec = without;
      spec.*member = value;
      visit(spec);
    }
  };
  visit_all(kRates, &FilterSpec::target_false_positive_rate);
  visit_all(kBitsPerKey, &FilterSpec::bits_per_key);
  visit_all(kSizes, &FilterSpec::num_bits);
  visit_all(kSizes, &FilterSpec::num_counters);
  visit_all(kSizes, &FilterSpec::num_blocks);
}

template <class Visit>
void for_each_spec(Visit visit) {
  for (const auto& capacity : kCapacities) {
    for (const auto& num_hashes : kExtremeNumHashes) {
      for_each_size({.capacity = capacity, .num_hashes = num_hashes}, visit);
    }
  }
}

std::string text_of(const FilterSpec& spec) {
  std::string text;
  const auto add = [&](const char* name, const auto& value) {
    if (value) text += std::string(name) + " = " + std::to_string(*value) + "; ";
  };
  add("capacity", spec.capacity);
  add("rate", spec.target_false_positive_rate);
  add("bits_per_key", spec.bits_per_key);
  add("num_bits", spec.num_bits);
  add("num_counters", spec.num_counters);
  add("num_blocks", spec.num_blocks);
  add("num_hashes", spec.num_hashes);
  return text;
}

/// Returns whether the message names a field of the spec.
bool names_a_field(const std::string& complaint) {
  for (const char* field : {"capacity", "target_false_positive_rate", "bits_per_key", "num_bits",
                            "num_counters", "num_blocks", "num_hashes", "size"}) {
    if (complaint.find(field) != std::string::npos) return true;
  }
  return false;
}

void check_small_filter(const VariantInfo& variant, const FilterSpec& spec) {
  AnyFilter filter = make_filter(variant.name, variant.schemes.front().name, spec);
  const Digest digest{0x0123456789abcdef, 0xfedcba9876543210};
  filter.insert(std::span(&digest, 1));
  CHECK(filter.count_positives(std::span(&digest, 1)) == 1);
}

}  // namespace

TEST_CASE("extreme specs: every spec is refused by name or gives a valid geometry",
          "[variants][sizing]") {
  for (const VariantInfo& variant : all_variant_infos()) {
    std::size_t num_refused = 0;
    std::size_t num_sized = 0;
    for_each_spec([&](const FilterSpec& spec) {
      INFO(variant.name << ": " << text_of(spec));
      try {
        const Geometry geometry = variant.geometry(spec);
        ++num_sized;
        CHECK(geometry.num_cells >= 1);
        CHECK(geometry.num_cells <= std::uint64_t{1} << 62U);
        CHECK(geometry.num_hashes <= kMaxNumHashes);
        if (geometry.num_bits() <= 1U << 16U) check_small_filter(variant, spec);
      } catch (const ConfigError& error) {
        ++num_refused;
        INFO(error.what());
        CHECK(names_a_field(error.what()));
      }
    });
    INFO(variant.name);
    CHECK(num_refused > 1000);
    CHECK(num_sized > 10);
  }
}

TEST_CASE("extreme specs: an unreachable rate is refused by name", "[variants][sizing]") {
  const double rate = GENERATE(5e-324, 1e-310, 1e-308);
  const std::uint64_t capacity = GENERATE(std::uint64_t{1}, std::uint64_t{1000}, kMost);
  for (const VariantInfo& variant : all_variant_infos()) {
    if (!variant.sized_by_blocks) continue;
    const FilterSpec spec{.capacity = capacity, .target_false_positive_rate = rate};
    INFO(variant.name << ": capacity " << capacity << ", rate " << rate);
    if (variant.is_limited) {
      // It depends on the variant and the capacity whether the cells or the rate are impossible.
      CHECK_THROWS_WITH(
          variant.geometry(spec),
          Catch::Matchers::StartsWith("capacity must give between 1 and 2^57 cells, got ") ||
              Catch::Matchers::StartsWith("target_false_positive_rate must "));
      continue;
    }
    CHECK_THROWS_WITH(variant.geometry(spec),
                      Catch::Matchers::StartsWith("target_false_positive_rate must give between 1 "
                                                  "and 2^57 cells, got " +
                                                  to_string(ParamValue(rate))));
  }
}
