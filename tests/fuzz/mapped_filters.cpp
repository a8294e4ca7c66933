#include "tests/fuzz/mapped_filters.hpp"

#include <algorithm>
#include <string_view>
#include <type_traits>

#include "core/any_filter/filter_file.hpp"
#include "core/probe/all_probes.hpp"
#include "tests/fuzz/checks.hpp"
#include "variants/registry/all_variants.hpp"

namespace bloometry::fuzz {
namespace {

using Map = MappedFilter (*)(const std::filesystem::path& path, MappedFile::Checks checks);

struct MappableClass {
  std::string_view variant;
  std::string_view probes;
  Map map;
};

template <class F>
MappedFilter mapped_filter(const std::filesystem::path& path, MappedFile::Checks checks) {
  return [filter = bloometry::map<F>(path, checks)](std::span<const Digest> digests) {
    MappedAnswers answers{.are_present = {}, .state = filter.state()};
    for (const Digest& digest : digests) answers.are_present.push_back(filter.contains(digest));
    return answers;
  };
}

template <class F, class... Probes>
void add_schemes(std::vector<MappableClass>& classes, std::type_identity<ProbeList<Probes...>>) {
  (classes.push_back(
       {F::kName, Probes::kName, &mapped_filter<typename F::template WithProbes<Probes>>}),
   ...);
}

template <class F>
void add_variant(std::vector<MappableClass>& classes) {
  if constexpr (!SelfDescribing<F>) {
    add_schemes<F>(classes, std::type_identity<typename F::SupportedProbes>{});
  }
}

template <class... Fs>
std::vector<MappableClass> classes_of(VariantList<Fs...>) {
  std::vector<MappableClass> classes;
  (add_variant<Fs>(classes), ...);
  return classes;
}

const MappableClass* find_class(const FileHeader& header) {
  static const std::vector<MappableClass> kClasses = classes_of(AllVariants{});
  const auto found = std::ranges::find_if(kClasses, [&](const MappableClass& one) {
    return one.variant == header.variant && one.probes == header.probes;
  });
  return found == kClasses.end() ? nullptr : &*found;
}

}  // namespace

bool is_mappable(const FileHeader& header) {
  return find_class(header) != nullptr;
}

MappedFilter map_any(const FileHeader& header, const std::filesystem::path& path,
                     MappedFile::Checks checks) {
  const MappableClass* const one = find_class(header);
  require(one != nullptr, "only what is_mappable is mapped");
  return one->map(path, checks);
}

}  // namespace bloometry::fuzz
