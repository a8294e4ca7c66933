#include "core/any_filter/make_variant_info.hpp"
#include "variants/rotating/rotating_filter.hpp"

template bloometry::VariantInfo bloometry::make_variant_info<bloometry::RotatingFilter>();
