#include "core/any_filter/make_variant_info.hpp"
#include "variants/counting/counting_filter.hpp"

template bloometry::VariantInfo bloometry::make_variant_info<bloometry::CountingFilter>();
