#include "experiments/bench/peers/peers.hpp"

#include <algorithm>
#include <iterator>

namespace bloometry::bench {

std::vector<TargetKind> peer_targets() {
  std::vector<TargetKind> kinds;
#ifdef BLOOMETRY_HAS_LIBBLOOM
  add_libbloom(kinds);
#endif
#ifdef BLOOMETRY_HAS_BOOST_BLOOM
  add_boost_bloom(kinds);
#endif
  return kinds;
}

std::vector<TargetKind> all_targets() {
  std::vector<TargetKind> kinds = variant_targets();
  std::vector<TargetKind> peers = peer_targets();
  std::move(peers.begin(), peers.end(), std::back_inserter(kinds));
  return kinds;
}

}  // namespace bloometry::bench
