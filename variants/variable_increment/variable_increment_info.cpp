#include "core/any_filter/make_variant_info.hpp"
#include "variants/variable_increment/variable_increment_filter.hpp"

template bloometry::VariantInfo bloometry::make_variant_info<bloometry::VariableIncrementFilter>();
