// Maps files as the class of their variant and scheme. A mapped filter is read-only, so AnyFilter
// cannot contain it.

#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/any_filter/filter_file.hpp"
#include "core/engine/batch.hpp"
#include "tests/differential/tested_filter.hpp"
#include "tests/round_trip/check_files.hpp"
#include "variants/registry/all_variants.hpp"

namespace bloometry::test {
namespace {

template <class F>
void check_mapped_as(const AnyFilter& filter, std::span<const Digest> queries,
                     const std::filesystem::path& path) {
  const auto mapped = map<F>(path, MappedFile::Checks::kAll);
  require(mapped.state() == filter.state(), "the state of a mapped filter differs");
  require(image_of(mapped).header.params == filter.image().header.params,
          "the parameters of a mapped filter differ");
  std::uint64_t num_positives = 0;
  for (const Digest& key : queries) {
    const bool answer = mapped.contains(key);
    require(answer == (filter.count_positives({&key, 1}) == 1),
            "a mapped filter gives another answer");
    num_positives += answer ? 1 : 0;
  }
  require(count_positives(mapped, queries) == num_positives,
          "a batch of queries of a mapped filter gives other answers");
}

using Check = void (*)(const AnyFilter& filter, std::span<const Digest> queries,
                       const std::filesystem::path& path);
using Checks = std::map<std::pair<std::string_view, std::string_view>, Check>;

template <class F, class... Probes>
void add_schemes(std::type_identity<ProbeList<Probes...>>, Checks& checks) {
  (checks.emplace(std::pair(F::kName, Probes::kName),
                  check_mapped_as<typename F::template WithProbes<Probes>>),
   ...);
}

template <class... Fs>
Checks checks_of(VariantList<Fs...>) {
  Checks checks;
  (add_schemes<Fs>(std::type_identity<typename Fs::SupportedProbes>{}, checks), ...);
  return checks;
}

}  // namespace

void check_mapped(const AnyFilter& filter, std::span<const Digest> queries,
                  const std::filesystem::path& path) {
  static const Checks checks = checks_of(AllVariants{});
  checks.at({filter.name(), filter.probes()})(filter, queries, path);
}

}  // namespace bloometry::test
