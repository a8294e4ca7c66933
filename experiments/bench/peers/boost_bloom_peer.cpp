#include <boost/bloom.hpp>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/hash/xxhash.hpp"
#include "experiments/bench/peers/peers.hpp"
#include "experiments/bench/target_of.hpp"

namespace bloometry::bench {
namespace {

/// The hash of the library's own filters, for strings, which boost::hash processes byte by byte.
struct Xxh3StringHash {
  using is_avalanching = std::true_type;

  std::size_t operator()(std::string_view key) const noexcept {
    return XXH3_64bits(key.data(), key.size());
  }
};

/// Key and hash by kind. Integers use boost::hash, the default.
template <KeyKind kind>
struct KeyOf {
  using Key = std::uint64_t;
  using Hash = boost::hash<Key>;
  static constexpr const char* kHashName = "boost::hash";
};

template <>
struct KeyOf<KeyKind::kString> {
  using Key = std::string_view;
  using Hash = Xxh3StringHash;
  static constexpr const char* kHashName = "xxh3 (64 bits)";
};

template <std::size_t kNumHashes, class Subfilter, KeyKind kind>
using BoostFilter = boost::bloom::filter<typename KeyOf<kind>::Key, kNumHashes, Subfilter, 0,
                                         typename KeyOf<kind>::Hash>;

/// Bulk lookup exists since Boost 1.90; before, insert(first, last) was a loop.
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

  // A filter receives only one kind of keys; the interface requires the other.
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

/// Sizes a filter for the request. The classic filter has k as part of its type; its kinds are the
/// best ones at some rates.
template <std::size_t kNumHashes, class Subfilter, unsigned kBitsPerKey, KeyKind kind>
TargetPlan plan_boost(const char* name, const TargetRequest& request) {
  using F = BoostFilter<kNumHashes, Subfilter, kind>;
  const auto num_keys = static_cast<std::size_t>(request.num_keys);
  TargetPlan plan{.name = name,
                  .is_peer = true,
                  .hash = KeyOf<kind>::kHashName,
                  .num_bits = F::capacity_for(num_keys, request.rate),
                  .num_hashes = kBitsPerKey,
                  .has_batch = HasBulk<F, typename F::value_type>};
  plan.expected_rate = F::fpr_for(num_keys, static_cast<std::size_t>(plan.num_bits));
  plan.build = [num_keys, rate = request.rate] {
    return std::make_unique<TargetOf<BoostAdapter<F>>>(num_keys, rate);
  };
  return plan;
}

template <std::size_t kNumHashes, class Subfilter, unsigned kBitsPerKey>
TargetKind boost_kind(const char* name) {
  return {.name = name, .is_peer = true, .plan = [name](const TargetRequest& request) {
            return request.keys == KeyKind::kInteger
                       ? plan_boost<kNumHashes, Subfilter, kBitsPerKey, KeyKind::kInteger>(name,
                                                                                           request)
                       : plan_boost<kNumHashes, Subfilter, kBitsPerKey, KeyKind::kString>(name,
                                                                                          request);
          }};
}

}  // namespace

void add_boost_bloom(std::vector<TargetKind>& kinds) {
  // k is part of their types: 7 and 8 are best at 1 %, the default.
  kinds.push_back(boost_kind<7, boost::bloom::block<unsigned char, 1>, 7>("boost_classic"));
  kinds.push_back(boost_kind<1, boost::bloom::fast_multiblock32<8>, 8>("boost_multiblock32"));
  kinds.push_back(boost_kind<1, boost::bloom::fast_multiblock64<8>, 8>("boost_multiblock64"));
}

}  // namespace bloometry::bench
