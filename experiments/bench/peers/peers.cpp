#include "experiments/bench/peers/peers.hpp"

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

}  // namespace bloometry::bench
