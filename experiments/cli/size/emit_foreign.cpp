#include <algorithm>
#include <fmt/core.h>
#include <string>

#include "core/text.hpp"
#include "experiments/cli/size/emit.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "experiments/cli/theory/foreign_theory.hpp"
#include "experiments/cli/theory/prediction_output.hpp"
#include "variants/foreign/guava/guava_filter.hpp"
#include "variants/foreign/parquet_sbbf/parquet_sbbf_filter.hpp"

namespace bloometry {
namespace {

/// Returns the requested sizes, such as "1,000,000 keys at p = 0.01".
std::string request_text_of(std::uint64_t num_keys, double rate, const char* noun) {
  return fmt::format("{} at p = {}", plural(num_keys, noun), shortest_text(rate));
}

/// Returns a line with the other value of k if Guava's two rules for k differ. The two rules give
/// different k only for small numbers of keys.
std::string other_num_hashes(std::uint64_t num_keys, double rate, unsigned num_hashes) {
  const unsigned other =
      GuavaFilter::sizes_for(num_keys, rate, GuavaNumHashes::kFromRate).num_hashes;
  if (other == num_hashes) return "";
  return fmt::format("// Guava 31.1 takes k = {} from m / n; later releases take k = {} from p.\n",
                     num_hashes, other);
}

}  // namespace

std::string emitted_guava(std::uint64_t num_keys, double rate) {
  const ForeignFormat& format = *find_foreign_format(GuavaFilter::kName);
  const ForeignSizes sizes = format.sizes_for(num_keys, rate);
  const Prediction prediction = format.predict(sizes, num_keys);
  return fmt::format(
      "// Guava's BloomFilter for {}: {}.\n"
      "{}"
      "// Expected false-positive rate with these keys: about {}{}.\n"
      "// Not exact: {}.\n"
      "import com.google.common.hash.BloomFilter;\n"
      "import com.google.common.hash.Funnels;\n"
      "import java.nio.charset.StandardCharsets;\n"
      "\n"
      "class SizedFilter {{\n"
      "  public static void main(String[] arguments) {{\n"
      "    BloomFilter<CharSequence> seen =\n"
      "        BloomFilter.create(Funnels.stringFunnel(StandardCharsets.UTF_8), {}L, {});\n"
      "    seen.put(\"a\");\n"
      "    System.out.println(seen.mightContain(\"a\")); // true may be wrong, false never is\n"
      "  }}\n"
      "}}\n",
      request_text_of(num_keys, rate, "key"), text_of(sizes),
      other_num_hashes(num_keys, rate, sizes.num_hashes), rounded(prediction.expected->rate, 4),
      prediction.expected->rate > rate ? ", above p" : "", prediction.expected->why_not_exact,
      num_keys, shortest_text(rate));
}

std::string emitted_parquet(std::uint64_t num_keys, double rate) {
  const ForeignFormat& format = *find_foreign_format(ParquetSbbfFilter::kName);
  const ForeignSizes sizes = format.sizes_for(num_keys, rate);
  const std::string p = shortest_text(rate);
  const ExpectedRate expected = format.predict(sizes, num_keys).expected.value();
  return fmt::format(
      "# Parquet's Bloom filter of a column, for {} in each row group.\n"
      "# {} bytes ({}), a power of two; expected false-positive rate with these values: {} "
      "({}){}.\n"
      "# parquet-java: properties of the Hadoop configuration, or options of a Spark writer.\n"
      "# COLUMN is the path of the column.\n"
      "parquet.bloom.filter.enabled#COLUMN=true\n"
      "parquet.bloom.filter.expected.ndv#COLUMN={}\n"
      "parquet.bloom.filter.fpp#COLUMN={}\n"
      "# The maximum number of bytes per filter; the default, 1048576, limits larger filters to "
      "that size.\n"
      "parquet.bloom.filter.max.bytes={}\n"
      "# Arrow C++, where parquet::WriterProperties::Builder has enable_bloom_filter:\n"
      "#   parquet::BloomFilterOptions options;\n"
      "#   options.ndv = {};\n"
      "#   options.fpp = {};\n"
      "#   builder.enable_bloom_filter(\"COLUMN\", options);\n",
      request_text_of(num_keys, rate, "distinct value"), grouped(sizes.num_bits / 8),
      memory_text(sizes.num_bits), rounded(expected.rate, 6), label_of(expected),
      expected.rate > rate ? ", above p" : "", num_keys, p,
      std::max<std::uint64_t>(sizes.num_bits / 8, 1U << 20U), num_keys, p);
}

}  // namespace bloometry
