#include "core/any_filter/make_variant_info.hpp"
#include "variants/age_partitioned/age_partitioned_filter.hpp"

template bloometry::VariantInfo bloometry::make_variant_info<bloometry::AgePartitionedFilter>();
