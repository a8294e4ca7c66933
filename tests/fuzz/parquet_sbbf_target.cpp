#include <cstdint>

#include "tests/fuzz/checks.hpp"
#include "tests/fuzz/targets.hpp"
#include "variants/foreign/parquet_sbbf/parquet_sbbf_filter.hpp"

namespace bloometry::fuzz {

bool run_parquet_sbbf(std::string_view input) {
  // The reader allocates a store for the blocks in the input.
  const auto filter = accepted(input, input.size() + kConstantBytes,
                               [&] { return ParquetSbbfFilter::parse(input); });
  if (!filter) return false;
  require(filter->serialize() == input, "parquet_sbbf: what is accepted is written again");
  require_inserts(*filter);
  for (const std::uint64_t divisor : {std::uint64_t{2}, std::uint64_t{3}}) {
    const auto smaller = folded(*filter, divisor);
    if (!smaller) continue;
    require_no_lost_key(*filter, *smaller,
                        "parquet_sbbf: a folded filter contains what the filter does");
    ParquetSbbfFilter::parse(smaller->serialize());
  }
  return true;
}

}  // namespace bloometry::fuzz
