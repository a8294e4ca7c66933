#include "core/any_filter/make_variant_info.hpp"
#include "variants/blocked_counting/blocked_counting_filter.hpp"

template bloometry::VariantInfo bloometry::make_variant_info<bloometry::BlockedCountingFilter>();
