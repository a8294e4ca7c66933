#include "experiments/bench/peers/peers.hpp"

#include <algorithm>
#include <iterator>

namespace bloometry::bench {

std::vector<SubjectKind> peer_subjects() {
  std::vector<SubjectKind> kinds;
#ifdef BLOOMETRY_HAS_LIBBLOOM
  add_libbloom(kinds);
#endif
#ifdef BLOOMETRY_HAS_BOOST_BLOOM
  add_boost_bloom(kinds);
#endif
  return kinds;
}

std::vector<SubjectKind> all_subjects() {
  std::vector<SubjectKind> kinds = variant_subjects();
  std::vector<SubjectKind> peers = peer_subjects();
  std::move(peers.begin(), peers.end(), std::back_inserter(kinds));
  return kinds;
}

}  // namespace bloometry::bench
