#include "variants/registry/requested_filter.hpp"

#include <cstdint>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "variants/registry/sizing.hpp"

namespace bloometry {

TEST_CASE("requested filter: a size is rounded up to whole blocks, and k is the best one",
          "[variants][sizing]") {
  const RatedFilter blocked =
      requested_filter(find_variant("blocked"), {.num_keys = 100, .num_cells = 1025});
  CHECK(blocked.geometry().num_cells == 1536);
  CHECK(blocked.spec.num_hashes ==
        best_num_hashes(blocked.variant, {.num_bits = 1025}, blocked.scheme.model, 100));
  const RatedFilter given =
      requested_filter(find_variant("blocked"), {.num_hashes = 3U, .num_blocks = 7});
  CHECK(given.geometry().num_blocks() == 7);
  CHECK(given.geometry().num_hashes == 3);
}

TEST_CASE("requested filter: each size describes the same filter", "[variants][sizing]") {
  const VariantInfo& counting = find_variant("counting");
  const auto geometry = [&](const SizeRequest& request) {
    return requested_filter(counting, request).geometry();
  };
  const Geometry cells = geometry({.num_keys = 100, .num_cells = 2000});
  CHECK(cells.num_cells == 2000);
  CHECK(geometry({.num_keys = 100, .num_bits = 8000}) == cells);
  CHECK(geometry({.num_keys = 100, .bits_per_key = 80.0}) == cells);
}

TEST_CASE("requested filter: the parameters and the scheme are those of the request",
          "[variants][sizing]") {
  const RatedFilter filter = requested_filter(
      find_variant("counting"),
      {.num_keys = 10, .num_bits = 800, .probes = "distinct", .params = {{"counter_bits", 8.0}}});
  CHECK(filter.scheme.name == "distinct");
  CHECK(filter.geometry().cell_bits == 8);
  CHECK(filter.geometry().num_cells == 100);
}

TEST_CASE("requested filter: for a rate, the filter chooses its size itself",
          "[variants][sizing]") {
  const FilterSpec spec{.capacity = 1000, .target_false_positive_rate = 0.01};
  for (const VariantInfo& variant : all_variant_infos()) {
    CAPTURE(variant.name);
    const RatedFilter filter = requested_filter(variant, {.num_keys = 1000, .rate = 0.01});
    if (variant.can(Operation::kGrow)) {
      CHECK_FALSE(filter.spec.capacity.has_value());
    } else {
      CHECK(filter.geometry().num_cells == variant.geometry(spec).num_cells);
    }
  }
}

TEST_CASE("requested filter: impossible requests name their field", "[variants][sizing]") {
  CHECK_THROWS_WITH(requested_filter(find_variant("scalable"), {.num_keys = 10, .num_cells = 100}),
                    "rate must be given for scalable: a rate like 0.01, because the filter grows");
  CHECK_THROWS_WITH(
      requested_filter(find_variant("standard"), {.num_keys = 1, .num_cells = 8, .num_bits = 8}),
      "num_bits must be left out with num_cells, because each determines the size");
  CHECK_THROWS_WITH(requested_filter(find_variant("standard"), {.num_keys = 1, .num_blocks = 8}),
                    "num_blocks must be left out for a filter that does not have blocks");
  CHECK_THROWS_AS(requested_filter(find_variant("standard"), {.num_keys = 1}), ConfigError);
  CHECK_THROWS_WITH(requested_filter(find_variant("standard"), {.bits_per_key = 8.0}),
                    Catch::Matchers::StartsWith("capacity must be given with bits_per_key"));
}

}  // namespace bloometry
