// Tests FilterSpec::max_fill and FilterState::exceeds_max_fill for every variant with every probe
// scheme.

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "core/any_filter/any_filter.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/variant_schemes.hpp"

namespace bloometry {
namespace {

using test::insert_one;
using test::variant_schemes;
using test::VariantScheme;

FilterSpec with_max_fill(FilterSpec spec, double max_fill) {
  spec.max_fill = max_fill;
  return spec;
}

/// Returns whether the limit is that of the whole filter, and not of each of its parts.
bool has_one_limit(const VariantScheme& subject) {
  return test::has_fixed_size(subject) && !subject.forgets();
}

/// Returns whether the rate with one probe per key equals the share of set cells. Returns false for
/// a variant whose queries also test conditions other than set cells.
bool has_rate_of_fill(const VariantScheme& subject) {
  return has_one_limit(subject) && subject.hashes_near(1) == 1 &&
         subject.variant->name != "variable_increment";
}

}  // namespace

TEST_CASE("conformance: exceeds_max_fill is absent unless requested", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes()));
  CAPTURE(subject);
  const FilterSpec spec = subject.small_spec(100, 0.05, 1000);
  AnyFilter filter = subject.make(spec);
  AnyFilter watched = subject.make(with_max_fill(spec, 0.5));
  CHECK(filter.num_bits() == watched.num_bits());
  const auto keys = test::member_digests(1000);
  filter.insert(keys);
  watched.insert(keys);
  CHECK_FALSE(filter.state().exceeds_max_fill.has_value());
  CHECK(watched.state().exceeds_max_fill.has_value());
  CHECK(watched.state().num_ones == filter.state().num_ones);
  CHECK_FALSE(filter == watched);  // the filters have different limits
}

TEST_CASE(
    "conformance: a filter exceeds max_fill once its rate is above the rate at that fill, and a "
    "limited filter once its fill is above",
    "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes(has_one_limit)));
  CAPTURE(subject);
  constexpr double kMaxFill = 0.437;
  const FilterSpec spec = subject.spec_near(1000, 4);
  const unsigned k = subject.geometry(spec).num_hashes;
  AnyFilter filter = subject.make(with_max_fill(spec, kMaxFill));
  REQUIRE(filter.state().exceeds_max_fill == false);
  int num_changes = 0;
  bool exceeds = false;
  for (const Digest& key : test::member_digests(1000)) {
    if (!test::finds_room(filter, key)) break;
    const FilterState state = filter.state();
    const double fill =
        static_cast<double>(state.num_ones) / static_cast<double>(subject.geometry(spec).num_cells);
    REQUIRE(state.exceeds_max_fill ==
            (subject.is_limited() ? fill > kMaxFill
                                  : state.conditional_false_positive_rate > std::pow(kMaxFill, k)));
    num_changes += *state.exceeds_max_fill != exceeds ? 1 : 0;
    exceeds = *state.exceeds_max_fill;
  }
  CHECK(exceeds);
  CHECK(num_changes == 1);
  filter.clear();
  CHECK(filter.state().exceeds_max_fill == false);
}

TEST_CASE("conformance: a filter exceeds max_fill from one cell above that fill on",
          "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes(has_rate_of_fill)));
  CAPTURE(subject);
  const FilterSpec spec = subject.spec_near(512, 1);
  const std::uint64_t num_cells = subject.geometry(spec).num_cells;
  AnyFilter filter = subject.make(with_max_fill(spec, 0.25));
  std::uint64_t limit_seen = 0;
  for (const Digest& key : test::member_digests(num_cells)) {
    insert_one(filter, key);  // an insert sets at most one cell
    const FilterState state = filter.state();
    REQUIRE(state.exceeds_max_fill == (4 * state.num_ones > num_cells));
    limit_seen += 4 * state.num_ones == num_cells ? 1U : 0U;
  }
  CHECK(limit_seen > 0);
  CHECK(4 * filter.state().num_ones > num_cells);
}

TEST_CASE("conformance: a filter that grows exceeds max_fill if a stage does", "[conformance]") {
  const auto grows = [](const VariantScheme& subject) { return subject.can("grow"); };
  const auto subject = GENERATE_COPY(from_range(variant_schemes(grows)));
  CAPTURE(subject);
  const FilterSpec spec = subject.small_spec(800, 0.05);
  AnyFilter low = subject.make(with_max_fill(spec, 0.1));
  AnyFilter high = subject.make(with_max_fill(spec, 0.9));
  CHECK(low.state().exceeds_max_fill == false);
  // The fill of a full stage is about 0.5, or less with blocks. The fill is always above 0.1 and
  // below 0.9.
  std::uint64_t num_stages = 1;
  for (const Digest& key : test::member_digests(400)) {
    insert_one(low, key);
    insert_one(high, key);
    REQUIRE(high.state().exceeds_max_fill == false);
    if (*low.state().num_stages > num_stages) {
      // The newest stage is almost empty. The earlier stages are full.
      num_stages = *low.state().num_stages;
      REQUIRE(low.state().exceeds_max_fill == true);
    }
  }
  CHECK(num_stages > 1);
}

TEST_CASE("conformance: max_fill outside (0, 1) is refused by name", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes()));
  CAPTURE(subject);
  const FilterSpec spec = subject.small_spec(100, 0.05);
  const double infinity = std::numeric_limits<double>::infinity();
  for (const auto& [value, text] :
       {std::pair(0.0, "0"), std::pair(1.0, "1"), std::pair(-0.5, "-0.5"), std::pair(55.0, "55"),
        std::pair(infinity, "inf"), std::pair(std::nan(""), "nan")}) {
    const FilterSpec bad = with_max_fill(spec, value);
    const std::string refusal = std::string("max_fill must be in (0, 1), got ") + text;
    CHECK(test::message_of<ConfigError>([&] { (void)subject.make(bad); }) == refusal);
    CHECK(test::message_of<ConfigError>([&] { (void)subject.geometry(bad); }) == refusal);
  }
  // Specs with a size in cells are tested too, because other code computes the geometry for them.
  if (!test::has_fixed_size(subject)) return;
  CHECK(test::message_of<ConfigError>([&] {
          (void)subject.make(with_max_fill(subject.spec_near(512, 8), 1));
        }) == "max_fill must be in (0, 1), got 1");
}

TEST_CASE("conformance: copies and folded filters keep max_fill", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes()));
  CAPTURE(subject);
  AnyFilter filter = subject.make(with_max_fill(subject.small_spec(200, 0.05), 0.01));
  filter.insert(test::member_digests(100));
  REQUIRE(filter.state().exceeds_max_fill == true);
  AnyFilter copy = filter;
  CHECK(copy == filter);
  CHECK(copy.state().exceeds_max_fill == true);
  copy.clear();
  CHECK(copy.state().exceeds_max_fill == false);
  if (!filter.can_fold()) return;
  CHECK(filter.fold(1) == filter);
  CHECK(filter.fold(1).state().exceeds_max_fill == true);
}

TEST_CASE("conformance: filters with different max_fill merge and keep their own value",
          "[conformance]") {
  const auto merges = [](const VariantScheme& subject) { return subject.can("merge"); };
  const auto subject = GENERATE_COPY(from_range(variant_schemes(merges)));
  CAPTURE(subject);
  const FilterSpec spec = subject.small_spec(200, 0.05);
  AnyFilter strict = subject.make(with_max_fill(spec, 0.01));
  AnyFilter lax = subject.make(with_max_fill(spec, 0.99));
  AnyFilter without = subject.make(spec);
  lax.insert(test::member_digests(100));
  strict.merge(lax);
  CHECK(strict.state().exceeds_max_fill == true);
  lax.merge(strict);
  CHECK(lax.state().exceeds_max_fill == false);
  without.merge(strict);
  CHECK_FALSE(without.state().exceeds_max_fill.has_value());
}

}  // namespace bloometry
