#pragma once

#include "experiments/filter_files/filter_facts.hpp"
#include "variants/split_block/split_block_filter.hpp"

/// The facts about filters of other programs.
namespace bloometry {

class DcsoFilter;
class GoBitsAndBloomsFilter;
class GuavaFilter;
class ParquetSbbfFilter;
class RedisBitmapFilter;
class RedisBloomFilter;

/// Returns the Parquet filter's blocks as a SplitBlockFilter.
[[nodiscard]] SplitBlockFilter split_block_of(const ParquetSbbfFilter& filter);

// Each function describe() sets sizes, counts, notes and details.

void describe(const GuavaFilter& filter, FilterFacts& facts);
void describe(const GoBitsAndBloomsFilter& filter, FilterFacts& facts);
void describe(const RedisBitmapFilter& filter, FilterFacts& facts);
void describe(const RedisBloomFilter& filter, FilterFacts& facts);
void describe(const ParquetSbbfFilter& filter, FilterFacts& facts);
void describe(const DcsoFilter& filter, FilterFacts& facts);

// Each function add_rates() sets the expected rate and the rate given the cells. For a scheme with
// few words per key, this is a numerical integration (core/theory/coincidences.hpp).

void add_rates(const GuavaFilter& filter, FilterFacts& facts);
void add_rates(const GoBitsAndBloomsFilter& filter, FilterFacts& facts);
void add_rates(const RedisBitmapFilter& filter, FilterFacts& facts);
void add_rates(const RedisBloomFilter& filter, FilterFacts& facts);
void add_rates(const ParquetSbbfFilter& filter, FilterFacts& facts);
void add_rates(const DcsoFilter& filter, FilterFacts& facts);

}  // namespace bloometry
