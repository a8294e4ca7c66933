#pragma once

/// xxHash 0.8, compiled into each source that calls it. Every source must include xxHash through
/// core/hash/xxhash.hpp, because the first include in a source determines the settings of xxHash.
///
/// Debug builds define XXH_NO_INLINE_HINTS (CMakeLists.txt), because g++ 12 at -Og rejects calls of
/// always_inline functions by pointer. The header cannot define XXH_NO_INLINE_HINTS itself, because
/// the preprocessor cannot detect -Og. Optimised builds need the hints (core/hash/decisions.md).
#define XXH_INLINE_ALL
#include <xxhash.h>
