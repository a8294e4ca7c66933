#include <map>
#include <string>
#include <vector>

#include "core/probe/all_probes.hpp"
#include "core/probe/increment_words.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

namespace bloometry {
namespace {

using Positions = std::vector<std::uint64_t>;

template <class Probes>
Positions first_positions(const Digest& digest, std::uint64_t range, std::size_t count) {
  Positions positions;
  Probes probes(digest, range);
  while (positions.size() < count) positions.push_back(probes.next(range));
  return positions;
}

using PositionsOf = Positions (*)(const Digest&, std::uint64_t, std::size_t);

template <class... Ps>
std::map<std::string, PositionsOf> schemes_by_name(std::type_identity<ProbeList<Ps...>>) {
  return {{std::string(Ps::kName), &first_positions<Ps>}...};
}

Digest digest_of(const nlohmann::json& record) {
  return {test::word_of_hex(record["lo"]), test::word_of_hex(record["hi"])};
}

}  // namespace

TEST_CASE("all_probes: positions equal those of the schemes written in Python",
          "[core][probe][golden]") {
  const auto schemes = schemes_by_name(std::type_identity<AllProbes>{});
  std::map<std::string, int> num_checked;
  for (const auto& record : test::golden_records("probe_positions.json")) {
    const auto scheme = schemes.find(record["part"].get<std::string>());
    if (scheme == schemes.end()) continue;
    CAPTURE(test::text_of(record));
    const auto expected = record["values"].get<Positions>();
    CHECK(scheme->second(digest_of(record), record["range"], expected.size()) == expected);
    ++num_checked[scheme->first];
  }
  CHECK(num_checked.size() == std::tuple_size_v<AllProbes>);
}

TEST_CASE("bit_fields: positions equal those of the scheme written in Python",
          "[core][probe][golden]") {
  int num_checked = 0;
  for (const auto& record : test::golden_records("probe_positions.json")) {
    if (record["part"] != BitFieldProbes::kName) continue;
    CAPTURE(test::text_of(record));
    const auto expected = record["values"].get<Positions>();
    CHECK(first_positions<BitFieldProbes>(digest_of(record), record["range"], expected.size()) ==
          expected);
    ++num_checked;
  }
  CHECK(num_checked == 18);
}

TEST_CASE("increment_words: numbers equal those written in Python", "[core][probe][golden]") {
  int num_checked = 0;
  for (const auto& record : test::golden_records("probe_positions.json")) {
    if (record["part"] != "increments") continue;
    IncrementWords words(digest_of(record));
    for (const std::uint64_t expected : record["values"].get<Positions>()) {
      CHECK(words.next(record["range"]) == expected);
    }
    ++num_checked;
  }
  CHECK(num_checked == 12);
}

TEST_CASE("remix: the digests of parts equal those written in Python", "[core][probe][golden]") {
  int num_checked = 0;
  for (const auto& record : test::golden_records("probe_positions.json")) {
    if (record["part"] != "digest_of_part") continue;
    CHECK(remix(digest_of(record), record["range"]) ==
          Digest{test::word_of_hex(record["values"][0]), test::word_of_hex(record["values"][1])});
    ++num_checked;
  }
  CHECK(num_checked == 12);
}

}  // namespace bloometry
