#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>

#include "core/filter/batch.hpp"
#include "core/hash/murmur3_128_hasher.hpp"
#include "core/hash/xxh3_hasher.hpp"
#include "experiments/bench/subject.hpp"
#include "experiments/bench/subject_of.hpp"
#include "variants/all_variants.hpp"
#include "variants/registry.hpp"
#include "variants/sizing.hpp"

namespace bloometry::bench {
namespace {

/// The hashes to choose from: few, as every one is compiled with every variant.
using BenchHashers = HasherList<Xxh3Hasher, Murmur3128Hasher>;

/// Keys hashed at a time for a batch call: their digests stay in the first-level cache.
constexpr std::size_t kDigestBlock = 512;

template <class H, class Key>
Digest digest_of(const H& hasher, const Key& key) noexcept {
  if constexpr (std::is_integral_v<Key>)
    return hasher(IntegerKey(key).view());
  else
    return hasher(key);
}

/// A filter of the library with its hasher, as Keyed is.
template <class F, class H>
class KeyedAdapter {
 public:
  KeyedAdapter(const FilterSpec& spec, std::uint64_t seed) : filter_(spec), hasher_(seed) {}

  template <class Key>
  void insert(const Key& key) {
    static_cast<void>(filter_.insert(digest_of(hasher_, key)));
  }

  template <class Key>
  [[nodiscard]] bool contains(const Key& key) const noexcept {
    return filter_.contains(digest_of(hasher_, key));
  }

  template <class Key>
  bool erase(const Key& key) noexcept requires ErasableFilter<F> {
    return filter_.erase(digest_of(hasher_, key));
  }

  template <class Keys>
  void insert_batch(Keys keys) {
    for_each_digest_block(keys, [&](auto digests) { return insert_all(filter_, digests); });
  }

  template <class Keys>
  [[nodiscard]] std::uint64_t count_batch(Keys keys) const noexcept {
    return for_each_digest_block(
        keys, [&](auto digests) { return bloometry::count_positives(filter_, digests); });
  }

  template <class Keys>
  std::uint64_t erase_batch(Keys keys) noexcept requires ErasableFilter<F> {
    return for_each_digest_block(keys, [&](auto digests) { return erase_all(filter_, digests); });
  }

  void clear() { filter_.clear(); }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return filter_.num_bits(); }

 private:
  /// Adds up what `work` returns.
  template <class Keys, class Work>
  std::uint64_t for_each_digest_block(Keys keys, Work work) const {
    std::array<Digest, kDigestBlock> digests;
    std::uint64_t sum = 0;
    while (!keys.empty()) {
      const Keys block = keys.first(std::min(kDigestBlock, keys.size()));
      std::transform(block.begin(), block.end(), digests.begin(),
                     [&](const auto& key) { return digest_of(hasher_, key); });
      sum += work(std::span<const Digest>(digests).first(block.size()));
      keys = keys.subspan(block.size());
    }
    return sum;
  }

  F filter_;
  H hasher_;
};

/// The filter as solve_size sized it, so that rates are equal and not only what a formula hopes.
FilterSpec spec_of(const VariantInfo& variant, const SizeAnswer& size,
                   const SubjectRequest& request) {
  if (variant.has_size_axis("target_false_positive_rate")) {
    return {.capacity = request.initial_capacity.value_or(request.num_keys),
            .target_false_positive_rate = request.rate};
  }
  FilterSpec spec;
  (variant.has_size_axis("num_counters") ? spec.num_counters : spec.num_bits) = size.num_cells;
  if (size.num_hashes > 0) spec.num_hashes = size.num_hashes;
  return spec;
}

template <class F, class H>
std::unique_ptr<Subject> build(const FilterSpec& spec, std::uint64_t seed) {
  return std::make_unique<SubjectOf<KeyedAdapter<F, H>>>(spec, seed);
}

using Builder = std::unique_ptr<Subject> (*)(const FilterSpec&, std::uint64_t);

template <class F, class... Hs>
Builder builder_for(std::type_identity<std::tuple<Hs...>>, std::string_view hash) {
  Builder found = nullptr;
  ((found = Hs::kName == hash ? &build<F, Hs> : found), ...);
  return found;
}

template <class F>
SubjectPlan plan_variant(const SubjectRequest& request) {
  const VariantInfo& variant = find_variant(F::kName);
  const SizeAnswer size = solve_size(variant, {.num_keys = request.num_keys, .rate = request.rate});
  SubjectPlan plan{.name = std::string(F::kName),
                   .refusal = size.refusal,
                   .hash = request.hash,
                   .num_hashes = size.num_hashes,
                   .can_erase = ErasableFilter<F>,
                   .has_batch = true};
  if (!size.is_sized()) return plan;
  const FilterSpec spec = spec_of(variant, size, request);
  plan.num_bits = variant.num_bits_at(spec, request.num_keys);
  plan.expected_rate = size.rate;
  plan.build = [spec, seed = request.seed,
                builder = builder_for<F>(std::type_identity<BenchHashers>{}, request.hash)] {
    return builder(spec, seed);
  };
  return plan;
}

template <class... Fs>
std::vector<SubjectKind> kinds_of(VariantList<Fs...>) {
  return {{.name = std::string(Fs::kName), .is_peer = false, .plan = &plan_variant<Fs>}...};
}

template <class... Hs>
std::vector<std::string_view> names_of(std::type_identity<std::tuple<Hs...>>) {
  return {Hs::kName...};
}

}  // namespace

std::vector<SubjectKind> variant_subjects() {
  return kinds_of(AllVariants{});
}

std::vector<std::string_view> bench_hashes() {
  return names_of(std::type_identity<BenchHashers>{});
}

}  // namespace bloometry::bench
