#include "experiments/filter_files/parquet_footer.hpp"
#include "tests/fuzz/checks.hpp"
#include "tests/fuzz/targets.hpp"

namespace bloometry::fuzz {

bool run_parquet_footer(std::string_view input) {
  // The reader allocates the path of a column, which may be copied while it grows.
  const auto filters = within_limit(input.size(), 4 * input.size() + kConstantBytes,
                                    [&] { return bloom_filters_of_parquet(input); });
  if (!filters) return false;
  if (filters->num_filters > 0) {
    require(filters->first_offset < input.size() &&
                filters->first_bytes <= input.size() - filters->first_offset,
            "parquet_footer: the first filter is inside the file");
  }
  return true;
}

}  // namespace bloometry::fuzz
