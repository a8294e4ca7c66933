#include "tests/support/mapped_filters.hpp"

#include <map>
#include <type_traits>
#include <utility>

#include "core/any_filter/filter_file.hpp"
#include "core/engine/batch.hpp"
#include "core/probe/all_probes.hpp"
#include "variants/registry/all_variants.hpp"

namespace bloometry::test {
namespace {

template <class F>
MappedAnswers answers_of(const F& filter, std::span<const Digest> digests) {
  MappedAnswers answers{.num_positives = count_positives(filter, digests),
                        .state = filter.state(),
                        .params = image_of(filter).header.params};
  if constexpr (CountEstimatingFilter<F>) answers.estimate_count = filter.estimate_count();
  answers.are_present.reserve(digests.size());
  for (const Digest& digest : digests) answers.are_present.push_back(filter.contains(digest));
  return answers;
}

template <class F>
MappedFilter mapped_filter(const std::filesystem::path& path, MappedFile::Checks checks) {
  return [filter = bloometry::map<F>(path, checks)](std::span<const Digest> digests) {
    return answers_of(filter, digests);
  };
}

using Map = MappedFilter (*)(const std::filesystem::path& path, MappedFile::Checks checks);
using Classes = std::map<std::pair<std::string_view, std::string_view>, Map>;

template <class F, class... Probes>
void add_schemes(Classes& classes, std::type_identity<ProbeList<Probes...>>) {
  (classes.emplace(std::pair(F::kName, Probes::kName),
                   &mapped_filter<typename F::template WithProbes<Probes>>),
   ...);
}

template <class... Fs>
Classes classes_of(VariantList<Fs...>) {
  Classes classes;
  (add_schemes<Fs>(classes, std::type_identity<typename Fs::SupportedProbes>{}), ...);
  return classes;
}

const Classes& all_classes() {
  static const Classes kClasses = classes_of(AllVariants{});
  return kClasses;
}

}  // namespace

bool is_mappable(std::string_view variant, std::string_view probes) {
  return all_classes().contains({variant, probes});
}

MappedFilter map_any(std::string_view variant, std::string_view probes,
                     const std::filesystem::path& path, MappedFile::Checks checks) {
  return all_classes().at({variant, probes})(path, checks);
}

}  // namespace bloometry::test
