#include "variants/registry/needs.hpp"

#include <string>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {

TEST_CASE("needs: a variant meets its operations, and cache-line if it has blocks",
          "[variants][sizing]") {
  for (const VariantInfo& variant : all_variant_infos()) {
    CAPTURE(variant.name);
    CHECK(meets(variant, "erase") == variant.can(Operation::kErase));
    CHECK(meets(variant, "grow") == variant.can(Operation::kGrow));
    CHECK(meets(variant, "merge") == variant.can(Operation::kMerge));
    CHECK(meets(variant, "cache-line") == variant.sized_by_blocks);
  }
}

TEST_CASE("needs: a phrase lists the needs that a variant does not meet", "[variants][sizing]") {
  const std::vector<std::string> needs = {"erase", "merge", "grow"};
  CHECK(lacking(find_variant("standard"), needs) == "cannot erase, grow");
  CHECK(lacking(find_variant("standard"), {}).empty());
  CHECK(lacking(find_variant("counting"), std::vector<std::string>{"erase", "merge"}).empty());
}

TEST_CASE("needs: a table that can be grown states how far", "[variants][sizing]") {
  const std::vector<std::string> needs = {"grow", "merge"};
  CHECK(lacking(find_variant("d_left"), needs) ==
        "cannot grow at a fixed rate beyond max_capacity (`filter grow` doubles the room and the "
        "rate), merge");
  CHECK(lacking(find_variant("cuckoo"), needs) == "cannot grow, merge");
}

TEST_CASE("needs: an unknown need is refused with the known ones", "[variants][sizing]") {
  CHECK_NOTHROW(require_known_needs(std::vector<std::string>{"erase", "grow", "merge"}));
  CHECK_THROWS_WITH(require_known_needs(std::vector<std::string>{"erase", "speed"}),
                    "needs must be one of erase, grow, merge, tick, cache-line, got 'speed'");
}

}  // namespace bloometry
