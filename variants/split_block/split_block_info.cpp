#include "core/any_filter/make_variant_info.hpp"
#include "variants/split_block/split_block_filter.hpp"

template bloometry::VariantInfo bloometry::make_variant_info<bloometry::SplitBlockFilter>();
