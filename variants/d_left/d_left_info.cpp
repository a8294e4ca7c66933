#include "core/any_filter/make_variant_info.hpp"
#include "variants/d_left/d_left_filter.hpp"

template bloometry::VariantInfo bloometry::make_variant_info<bloometry::DLeftFilter>();
