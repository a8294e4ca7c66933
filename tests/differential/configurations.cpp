#include "tests/differential/configurations.hpp"

#include <tuple>
#include <type_traits>
#include <utility>

#include "core/store/memory.hpp"
#include "tests/differential/tested_handle.hpp"
#include "tests/differential/tested_keyed.hpp"
#include "tests/support/variant_types.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry::test {
namespace {

template <class F>
struct IsBorrowing : std::bool_constant<BorrowingFilter<F>> {};

/// Two schemes per variant suffice, because probes do not depend on the ownership of the memory.
using BorrowingVariants = Those<VariantsWithTwoSchemes, IsBorrowing>;

/// Calls use(type_identity<F>) for every class of a tuple.
template <class... Fs, class Use>
void for_each_class(std::type_identity<std::tuple<Fs...>>, Use use) {
  (use(std::type_identity<Fs>{}), ...);
}

std::string name_of(const VariantScheme& scheme) {
  std::string name = std::string(scheme.variant->name) + ", " + std::string(scheme.scheme->name);
  for (const auto& [param, value] : scheme.params) name += ", its " + param;
  return name;
}

Configuration behind_handle(const VariantScheme& scheme) {
  return {name_of(scheme), scheme, [scheme](const FilterSpec& spec, std::uint64_t seed) {
            return std::make_unique<TestedHandle>(scheme.make(spec), seed);
          }};
}

template <class F>
Configuration of_class(const char* memory) {
  const VariantInfo& variant = find_variant(F::kName);
  const VariantScheme scheme{&variant, &variant.scheme(SchemeOf<F>::kName)};
  return {name_of(scheme) + memory, scheme, [](const FilterSpec& spec, std::uint64_t seed) {
            return std::make_unique<TestedKeyed<F>>(spec, seed);
          }};
}

}  // namespace

std::vector<Configuration> all_configurations() {
  std::vector<Configuration> all;
  for (const VariantScheme& scheme : variant_schemes()) all.push_back(behind_handle(scheme));
  for_each_class(std::type_identity<Variants>{}, [&](auto type) {
    all.push_back(of_class<typename decltype(type)::type>(", owned"));
    Configuration large = all.back();
    large.name += ", large";
    large.is_large = true;
    all.push_back(large);
  });
  for_each_class(std::type_identity<BorrowingVariants>{}, [&](auto type) {
    using F = typename decltype(type)::type;
    all.push_back(of_class<typename F::template WithMemory<BorrowedMemory>>(", borrowed"));
  });
  all.push_back(of_class<AtomicStandardFilter>(", atomic"));
  all.push_back(of_class<AtomicBlockedFilter>(", atomic"));
  return all;
}

}  // namespace bloometry::test
