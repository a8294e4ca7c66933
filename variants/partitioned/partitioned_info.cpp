#include "core/any_filter/make_variant_info.hpp"
#include "variants/partitioned/partitioned_filter.hpp"

template bloometry::VariantInfo bloometry::make_variant_info<bloometry::PartitionedFilter>();
