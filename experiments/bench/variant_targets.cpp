#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>

#include "core/any_filter/keyed.hpp"
#include "core/hash/aes_hasher.hpp"
#include "core/hash/folded_multiply_hasher.hpp"
#include "core/hash/splitmix64_xxh3_hasher.hpp"
#include "core/hash/xxh3_hasher.hpp"
#include "core/store/memory.hpp"
#include "experiments/bench/target.hpp"
#include "experiments/bench/target_of.hpp"
#include "variants/registry/all_variants.hpp"
#include "variants/registry/registry.hpp"
#include "variants/registry/sizing.hpp"

namespace bloometry::bench {
namespace {

/// The available hashes. Only a few hashes are available, because each hash is compiled with every
/// variant.
using BenchHashers = HasherList<Xxh3Hasher, FoldedMultiplyHasher, AesHasher, SplitMix64Xxh3Hasher>;

/// Adapter of a filter of this library. The adapter declares the filter in the same way as a
/// caller.
template <class F, class H>
class KeyedAdapter {
 public:
  KeyedAdapter(const FilterSpec& spec, std::uint64_t seed) : keyed_(F(spec), H(seed)) {}

  template <class Key>
  void insert(const Key& key) {
    static_cast<void>(keyed_.insert(key));
  }

  template <class Key>
  [[nodiscard]] bool contains(const Key& key) const noexcept {
    return keyed_.contains(key);
  }

  template <class Key>
  bool erase(const Key& key) noexcept requires ErasableFilter<F> {
    return keyed_.erase(key);
  }

  template <class Keys>
  void insert_batch(Keys keys) {
    static_cast<void>(keyed_.insert(keys));
  }

  template <class Keys>
  [[nodiscard]] std::uint64_t count_batch(Keys keys) const noexcept {
    std::array<std::uint64_t, kBlockKeys / 64> answers;
    const std::span<std::uint64_t> used = std::span(answers).first((keys.size() + 63) / 64);
    keyed_.contains(keys, used);
    return std::transform_reduce(
        used.begin(), used.end(), std::uint64_t{0}, std::plus<>(),
        [](std::uint64_t word) { return static_cast<std::uint64_t>(std::popcount(word)); });
  }

  template <class Keys>
  std::uint64_t erase_batch(Keys keys) noexcept requires ErasableFilter<F> {
    return keyed_.erase(keys);
  }

  void clear() { keyed_.clear(); }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return keyed_.filter().num_bits(); }

 private:
  Keyed<F, H> keyed_;
};

/// Returns the spec of the filter with the size from solve_size. With sizes from solve_size the
/// exact rates of all filters are equal, not only their approximate rates.
FilterSpec spec_of(const VariantInfo& variant, const SizeAnswer& size,
                   const TargetRequest& request) {
  if (!variant.can(Operation::kGrow)) return size.spec();
  return {.capacity = request.initial_capacity.value_or(request.num_keys),
          .target_false_positive_rate = request.rate};
}

template <class F, class H>
std::unique_ptr<BenchmarkTarget> build(const FilterSpec& spec, std::uint64_t seed) {
  return std::make_unique<TargetOf<KeyedAdapter<F, H>>>(spec, seed);
}

using Builder = std::unique_ptr<BenchmarkTarget> (*)(const FilterSpec&, std::uint64_t);

template <class F, class... Hs>
Builder builder_for(std::type_identity<std::tuple<Hs...>>, std::string_view hash) {
  Builder found = nullptr;
  ((found = Hs::kName == hash ? &build<F, Hs> : found), ...);
  return found;
}

template <class F>
constexpr bool kIsConcurrent = requires {
  requires std::same_as<F, typename F::template WithMemory<Atomic<OwnedMemory>>>;
};

template <class F>
std::string target_name() {
  return (kIsConcurrent<F> ? "atomic_" : "") + std::string(F::kName);
}

template <class F>
TargetPlan plan_variant(const TargetRequest& request) {
  const VariantInfo& variant = find_variant(F::kName);
  const SizeAnswer size = solve_size(variant, {.num_keys = request.num_keys, .rate = request.rate});
  TargetPlan plan{.name = target_name<F>(),
                  .refusal = size.refusal,
                  .hash = request.hash,
                  .num_hashes = size.num_hashes,
                  .can_erase = ErasableFilter<F>,
                  .is_concurrent = kIsConcurrent<F>,
                  .has_batch = true};
  if (!size.is_sized()) return plan;
  const FilterSpec spec = spec_of(variant, size, request);
  plan.num_bits = variant.num_bits_at(spec, request.num_keys);
  plan.expected_rate = size.rate;
  plan.initial_capacity = variant.initial_capacity(spec);
  plan.build = [spec, seed = request.seed,
                builder = builder_for<F>(std::type_identity<BenchHashers>{}, request.hash)] {
    return builder(spec, seed);
  };
  return plan;
}

/// Filters into which several threads may insert.
using ConcurrentVariants = VariantList<AtomicStandardFilter, AtomicBlockedFilter>;

template <class... Fs, class... ConcurrentFs>
std::vector<TargetKind> kinds_of(VariantList<Fs...>, VariantList<ConcurrentFs...>) {
  return {{.name = target_name<Fs>(), .plan = &plan_variant<Fs>}...,
          {.name = target_name<ConcurrentFs>(),
           .is_concurrent = true,
           .plan = &plan_variant<ConcurrentFs>}...};
}

template <class... Hs>
std::vector<std::string_view> names_of(std::type_identity<std::tuple<Hs...>>) {
  return {Hs::kName...};
}

}  // namespace

std::vector<TargetKind> variant_targets() {
  return kinds_of(AllVariants{}, ConcurrentVariants{});
}

std::vector<std::string_view> bench_hashes() {
  return names_of(std::type_identity<BenchHashers>{});
}

}  // namespace bloometry::bench
