#include <nlohmann/json.hpp>

#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/theory/theory_options.hpp"
#include "experiments/workload/key_hash.hpp"
#include "tests/experiments/cli/captured_output.hpp"
#include "tests/support/catch.hpp"
#include "variants/registry/registry.hpp"

using namespace bloometry;
using namespace bloometry::test;

TEST_CASE("variants: JSON has every field of every variant", "[cli][variants]") {
  const CapturedOutput output;
  CHECK(variants_command(true) == kDone);
  const nlohmann::json list = nlohmann::json::parse(output.text()).at("variants");
  REQUIRE(list.size() == all_variant_infos().size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const VariantInfo& info = all_variant_infos()[i];
    CHECK(list[i].at("name") == info.name);
    CHECK(list[i].at("paper") == info.paper);
    CHECK(list[i].at("params").size() == info.params.size());
    CHECK(list[i].at("probes").size() == info.schemes.size());
    CHECK(list[i].at("operations").size() == info.operations.size());
    for (std::size_t j = 0; j < info.schemes.size(); ++j) {
      CHECK(list[i].at("probes").at(j).at("can_fold") == info.schemes[j].can_fold);
    }
    CHECK(list[i].at("size_axes").size() == info.size_axes.size());
    CHECK(list[i].at("min_num_hashes") == info.min_num_hashes);
    CHECK(list[i].at("max_num_hashes") == info.max_num_hashes);
    CHECK(list[i].at("is_limited") == info.is_limited);
    CHECK(list[i].at("can_be_grown") == info.can_be_grown);
  }
}

TEST_CASE("variants: parameters have bounds and defaults", "[cli][variants]") {
  const CapturedOutput output;
  variants_command(true);
  const auto answer = nlohmann::json::parse(output.text());
  for (const auto& variant : answer.at("variants")) {
    if (variant.at("name") != "counting") continue;
    const auto& bits = variant.at("params").at(0);
    CHECK(bits.at("name") == "counter_bits");
    CHECK(bits.at("min") == 1);
    CHECK(bits.at("max") == 16);
    CHECK(bits.at("default") == 4);
    CHECK(variant.at("params").at(1).at("choices") == nlohmann::json::array({"sticky", "clamped"}));
  }
}

TEST_CASE("variants: JSON lists the hash families and marks the weak ones", "[cli][variants]") {
  const CapturedOutput output;
  variants_command(true);
  const nlohmann::json list = nlohmann::json::parse(output.text()).at("hashes");
  REQUIRE(list.size() == all_key_hashes().size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const KeyHash& hash = all_key_hashes()[i];
    CHECK(list[i] ==
          nlohmann::json{{"name", hash.name}, {"seeded", hash.is_seeded}, {"weak", hash.is_weak}});
  }
}

TEST_CASE("variants: the text names the weak hashes", "[cli][variants]") {
  const CapturedOutput output;
  variants_command(false);
  CHECK(output.text().find(
            "Hashes: xxh3, folded_multiply, aes, splitmix64_xxh3, xxh64, murmur3_128, murmur64a, "
            "siphash_2_4, "
            "siphash_2_4_128, md5_split. Weak hashes, which are exempt: crc32, fnv1, bkdr, js, "
            "sdbm;") != std::string::npos);
}

TEST_CASE("variants: the text has names, papers and parameters", "[cli][variants]") {
  const CapturedOutput output;
  CHECK(variants_command(false) == kDone);
  for (const VariantInfo& info : all_variant_infos()) {
    CHECK(output.text().find(std::string(info.name) + ": ") != std::string::npos);
    CHECK(output.text().find(info.paper) != std::string::npos);
    for (const ParamInfo& param : info.params) {
      CHECK(output.text().find("--param " + std::string(param.name)) != std::string::npos);
    }
  }
}

TEST_CASE("variants: the text states which variants have limited room", "[cli][variants]") {
  const CapturedOutput output;
  CHECK(variants_command(false) == kDone);
  const std::string text = output.text();
  const std::string d_left = text.substr(text.find("d_left: "));
  CHECK(d_left.find("  room        limited by the size: an insert may find no room; `filter grow` "
                    "doubles the room\n") != std::string::npos);
  CHECK(text.substr(0, text.find("\n\n")).find("  room ") == std::string::npos);
}

TEST_CASE("variants: the text has operations on two filters and schemes that do not fold",
          "[cli][variants]") {
  const CapturedOutput output;
  CHECK(variants_command(false) == kDone);
  CHECK(output.text().find("  operations  insert, contains, merge, intersect, estimate_count, "
                           "fold, borrow\n") != std::string::npos);
  CHECK(output.text().find("  cannot fold distinct, double_mod\n") != std::string::npos);
}
