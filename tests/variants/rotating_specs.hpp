#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include "core/contract/filter_spec.hpp"

namespace bloometry::test {

/// A small rotating filter: B generations of g inserts, of the given kind and size.
struct RotatingShape {
  unsigned num_generations = 4;
  std::uint64_t generation_capacity = 5;
  std::string kind = "standard";
  std::uint64_t bits_per_generation = 512;
  unsigned num_hashes = 8;
  std::string rotation = "inserts";

  [[nodiscard]] FilterSpec spec() const {
    return {.num_bits = num_generations * bits_per_generation,
            .num_hashes = num_hashes,
            .params = {{"generation", kind},
                       {"generation_capacity", static_cast<double>(generation_capacity)},
                       {"generations", static_cast<double>(num_generations)},
                       {"rotation", rotation}}};
  }
};

inline std::ostream& operator<<(std::ostream& out, const RotatingShape& shape) {
  return out << shape.num_generations << " generations of " << shape.generation_capacity << " by "
             << shape.rotation << ", " << shape.kind << ", " << shape.bits_per_generation
             << " bits, k = " << shape.num_hashes;
}

}  // namespace bloometry::test
