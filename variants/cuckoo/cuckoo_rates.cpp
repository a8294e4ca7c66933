#include "variants/cuckoo/cuckoo_rates.hpp"

#include <cmath>

#include "core/require_domain.hpp"

namespace bloometry::theory {
namespace {

void require_fingerprint(unsigned fingerprint_bits) {
  require_domain(fingerprint_bits > 0 && fingerprint_bits <= 64, "fingerprint_bits", "in [1, 64]",
                 fingerprint_bits);
}

}  // namespace

double cuckoo_num_classes(std::uint64_t num_buckets, unsigned fingerprint_bits) {
  require_domain(num_buckets >= 2 && num_buckets % 2 == 0, "num_buckets", "even and at least 2",
                 num_buckets);
  require_fingerprint(fingerprint_bits);
  const double num_fingerprints = std::ldexp(1.0, static_cast<int>(fingerprint_bits)) - 1.0;
  return static_cast<double>(num_buckets / 2) * num_fingerprints;
}

double cuckoo_rate(std::uint64_t num_keys, std::uint64_t num_buckets, unsigned fingerprint_bits) {
  const double num_classes = cuckoo_num_classes(num_buckets, fingerprint_bits);
  if (num_keys == 0) return 0.0;  // a table of one class would give 0 * infinity
  return -std::expm1(static_cast<double>(num_keys) * std::log1p(-1.0 / num_classes));
}

double cuckoo_approximate_rate(unsigned cells_per_bucket, double load, unsigned fingerprint_bits) {
  require_domain(cells_per_bucket > 0, "cells_per_bucket", "at least 1", cells_per_bucket);
  require_domain(load >= 0.0 && load <= 1.0, "load", "in [0, 1]", load);
  require_fingerprint(fingerprint_bits);
  const double share = std::ldexp(1.0, -static_cast<int>(fingerprint_bits));
  return -std::expm1(2.0 * cells_per_bucket * load * std::log1p(-share));
}

double cuckoo_rate_given_state(std::uint64_t num_stored_classes, std::uint64_t num_buckets,
                               unsigned fingerprint_bits) {
  const double num_classes = cuckoo_num_classes(num_buckets, fingerprint_bits);
  const auto stored = static_cast<double>(num_stored_classes);
  require_domain(stored <= num_classes, "num_stored_classes", "at most B(2^f-1)/2",
                 num_stored_classes);
  return stored / num_classes;
}

double cuckoo_bits_per_key(unsigned fingerprint_bits, double load) {
  require_fingerprint(fingerprint_bits);
  require_domain(load > 0.0 && load <= 1.0, "load", "in (0, 1]", load);
  return fingerprint_bits / load;
}

}  // namespace bloometry::theory
