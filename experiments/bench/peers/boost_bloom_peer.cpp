#include <boost/bloom.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/hash/mix.hpp"
#include "core/hash/xxhash.hpp"
#include "experiments/bench/peers/peers.hpp"
#include "experiments/bench/target_of.hpp"

namespace bloometry::bench {
namespace {

/// Hash of strings by XXH3, the default hash of this library's filters. boost::hash processes
/// strings byte by byte.
struct Xxh3StringHash {
  using is_avalanching = std::true_type;

  std::size_t operator()(std::string_view key) const noexcept {
    return XXH3_64bits(key.data(), key.size());
  }
};

/// Hash of integers by splitmix64. With splitmix64, the rate follows theory for all sources of
/// keys.
struct SoundIntegerHash {
  using is_avalanching = std::true_type;

  std::size_t operator()(std::uint64_t key) const noexcept { return mix64(key); }
};

struct Strings {
  using Key = std::string_view;
  using Hash = Xxh3StringHash;
  static constexpr const char* kHashName = "xxh3 (64 bits)";
};

/// Integer keys with the default hash of Boost.Bloom. Boost.Bloom mixes boost::hash, which is the
/// identity, by one multiplication.
struct Integers {
  using Key = std::uint64_t;
  using Hash = boost::hash<Key>;
  static constexpr const char* kHashName = "boost::hash";
};

struct SoundIntegers {
  using Key = std::uint64_t;
  using Hash = SoundIntegerHash;
  static constexpr const char* kHashName = "splitmix64";
};

template <std::size_t kNumHashes, class Subfilter, class Keys>
using BoostFilter =
    boost::bloom::filter<typename Keys::Key, kNumHashes, Subfilter, 0, typename Keys::Hash>;

/// True if the filter has bulk lookup, which exists since Boost 1.90. In earlier versions,
/// insert(first, last) was a loop.
template <class F, class Key>
concept HasBulk = requires(const F& filter, const Key* key) {
  filter.may_contain(key, key, [](const Key&, bool) {});
};

template <class F>
class BoostAdapter {
 public:
  using Key = typename F::value_type;

  BoostAdapter(std::uint64_t num_keys, double rate)
      : filter_(static_cast<std::size_t>(num_keys), rate) {}

  // A filter receives only one kind of keys, but the interface requires functions for both kinds.
  template <class Given>
  void insert(const Given& key) {
    if constexpr (std::is_same_v<Given, Key>) filter_.insert(key);
  }

  template <class Given>
  [[nodiscard]] bool contains(const Given& key) const {
    if constexpr (std::is_same_v<Given, Key>) return filter_.may_contain(key);
    return false;
  }

  template <class Given>
  void insert_batch(std::span<const Given> keys) {
    if constexpr (std::is_same_v<Given, Key>) {
      filter_.insert(keys.data(), keys.data() + keys.size());
    }
  }

  template <class Given>
  [[nodiscard]] std::uint64_t count_batch(std::span<const Given> keys) const {
    std::uint64_t num_positives = 0;
    if constexpr (std::is_same_v<Given, Key> && HasBulk<F, Key>) {
      filter_.may_contain(keys.data(), keys.data() + keys.size(), [&](const Key&, bool answer) {
        num_positives += static_cast<std::uint64_t>(answer);
      });
    }
    return num_positives;
  }

  void clear() { filter_.clear(); }

  [[nodiscard]] std::uint64_t num_bits() const { return filter_.capacity(); }

 private:
  F filter_;
};

/// Sizes a filter for the request. The type of the classic filter contains k. Each k is optimal for
/// a range of rates.
template <std::size_t kNumHashes, class Subfilter, unsigned kBitsPerKey, class Keys>
TargetPlan plan_boost(const std::string& name, const TargetRequest& request) {
  using F = BoostFilter<kNumHashes, Subfilter, Keys>;
  const auto num_keys = static_cast<std::size_t>(request.num_keys);
  TargetPlan plan{.name = name,
                  .is_peer = true,
                  .hash = Keys::kHashName,
                  .num_bits = F::capacity_for(num_keys, request.rate),
                  .num_hashes = kBitsPerKey,
                  .has_batch = HasBulk<F, typename F::value_type>};
  plan.expected_rate = F::fpr_for(num_keys, static_cast<std::size_t>(plan.num_bits));
  plan.build = [num_keys, rate = request.rate] {
    return std::make_unique<TargetOf<BoostAdapter<F>>>(num_keys, rate);
  };
  return plan;
}

/// Adds a filter with the default hash, and a filter with SoundIntegerHash.
template <std::size_t kNumHashes, class Subfilter, unsigned kBitsPerKey>
void add_boost(const std::string& name, std::vector<TargetKind>& kinds) {
  kinds.push_back({.name = name, .is_peer = true, .plan = [name](const TargetRequest& request) {
                     const auto plan =
                         request.keys == KeyKind::kInteger
                             ? &plan_boost<kNumHashes, Subfilter, kBitsPerKey, Integers>
                             : &plan_boost<kNumHashes, Subfilter, kBitsPerKey, Strings>;
                     return plan(name, request);
                   }});
  kinds.push_back(
      {.name = name + "_sound", .is_peer = true, .plan = [name](const TargetRequest& request) {
         if (request.keys == KeyKind::kInteger) {
           return plan_boost<kNumHashes, Subfilter, kBitsPerKey, SoundIntegers>(name + "_sound",
                                                                                request);
         }
         return TargetPlan{.name = name + "_sound",
                           .is_peer = true,
                           .refusal = "it hashes strings as " + name + " does"};
       }});
}

}  // namespace

void add_boost_bloom(std::vector<TargetKind>& kinds) {
  // The types of the filters contain k. The values k = 7 and k = 8 are best at a rate of 1 %, the
  // default.
  add_boost<7, boost::bloom::block<unsigned char, 1>, 7>("boost_classic", kinds);
  add_boost<1, boost::bloom::fast_multiblock32<8>, 8>("boost_multiblock32", kinds);
  add_boost<1, boost::bloom::fast_multiblock64<8>, 8>("boost_multiblock64", kinds);
}

}  // namespace bloometry::bench
