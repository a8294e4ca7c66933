#pragma once

/// xxHash 0.8, compiled into each source that calls it. All sources include it here: the first
/// include in a source decides its settings.
///
/// Debug builds define XXH_NO_INLINE_HINTS (CMakeLists.txt), because g++ 12 at -Og rejects the
/// calls by pointer of always_inline functions. This header does not define it: no macro shows -Og,
/// and at -O2 without the hints XXH3 of 100 bytes takes 222 instructions instead of 144.
#define XXH_INLINE_ALL
#include <xxhash.h>
