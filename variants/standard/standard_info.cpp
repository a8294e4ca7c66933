#include "core/any_filter/make_variant_info.hpp"
#include "variants/standard/standard_filter.hpp"

template bloometry::VariantInfo bloometry::make_variant_info<bloometry::StandardFilter>();
