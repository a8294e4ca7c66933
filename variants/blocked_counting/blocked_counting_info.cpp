#include "variants/blocked_counting/blocked_counting_filter.hpp"
#include "variants/make_variant_info.hpp"

template bloometry::VariantInfo bloometry::make_variant_info<bloometry::BlockedCountingFilter>();
