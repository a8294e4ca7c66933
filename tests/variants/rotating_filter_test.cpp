// Tests the rules of the rotating filter: its generations, and its ticks.

#include "variants/rotating/rotating_filter.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/engine/batch.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/variants/rotating_specs.hpp"

namespace bloometry {
namespace {

using test::RotatingShape;

}  // namespace

TEST_CASE("rotating: a key is forgotten after B g further insert calls", "[rotating]") {
  for (const char* kind : {"standard", "blocked", "lanes"}) {
    CAPTURE(kind);
    // Large generations, so that no key is a false positive.
    const RotatingShape shape{.num_generations = 4,
                              .generation_capacity = 5,
                              .kind = kind,
                              .bits_per_generation = 1 << 16U};
    RotatingFilter filter(shape.spec());
    const auto keys = test::member_digests(100);
    for (std::size_t now = 0; now < keys.size(); ++now) {
      filter.insert(keys[now]);
      for (std::size_t of_key = 0; of_key <= now; ++of_key) {
        // The generation of the key closes before insert g + 1, and is cleared with the insert
        // that opens the generation B places later.
        const bool is_held = now / 5 - of_key / 5 < 4;
        if (filter.contains(keys[of_key]) != is_held) FAIL("key " << of_key << " after " << now);
      }
    }
  }
}

TEST_CASE("rotating: generations with more inserts than planned are counted, once each",
          "[rotating]") {
  const RotatingShape by_ticks{.generation_capacity = 3, .rotation = "ticks"};
  RotatingFilter filter(by_ticks.spec());
  CHECK_FALSE(filter.window().num_inserts);
  CHECK(filter.window().num_ticks == 3);
  const auto keys = test::member_digests(10);
  insert_all(filter, std::span(keys).first(3));
  CHECK(filter.generations().num_overfull == 0);
  insert_all(filter, std::span(keys).subspan(3, 3));
  CHECK(filter.generations().num_overfull == 1);
  filter.tick();
  CHECK(filter.generations().num_overfull == 1);
  insert_all(filter, std::span(keys).subspan(6, 4));
  filter.tick();
  CHECK(filter.generations() ==
        GenerationCounts{
            .num_inserted = {0, 4, 6, 0}, .num_rotations = 2, .num_ticks = 2, .num_overfull = 2});
  for (const Digest& key : keys) CHECK(filter.contains(key));
  filter.tick();
  filter.tick();
  CHECK(filter.generations().num_inserted == std::vector<std::uint64_t>{0, 0, 0, 4});
}

TEST_CASE("rotating: a tick at a full generation rotates once", "[rotating]") {
  // The insert after the tick finds an empty generation and does not rotate again.
  const RotatingShape shape{.num_generations = 3, .generation_capacity = 2};
  RotatingFilter filter(shape.spec());
  const auto keys = test::member_digests(3);
  insert_all(filter, std::span(keys).first(2));
  filter.tick();
  filter.insert(keys[2]);
  CHECK(filter.generations() ==
        GenerationCounts{.num_inserted = {1, 2, 0}, .num_rotations = 1, .num_ticks = 1});
}

TEST_CASE("rotating: clear gives the filter that was made", "[rotating]") {
  const RotatingShape shape{.num_generations = 3, .generation_capacity = 2};
  RotatingFilter filter(shape.spec());
  insert_all(filter, std::span<const Digest>(test::member_digests(7)));
  filter.tick();
  filter.clear();
  CHECK(filter == RotatingFilter(shape.spec()));
}

TEST_CASE("rotating: filters with equal keys but another number of rotations are not equal",
          "[rotating]") {
  const RotatingShape shape{.num_generations = 3};
  RotatingFilter filter(shape.spec());
  RotatingFilter ticked(shape.spec());
  ticked.tick();
  CHECK(filter != ticked);
  filter.tick();
  CHECK(filter == ticked);
}

}  // namespace bloometry
