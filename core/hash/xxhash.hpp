#pragma once

/// xxHash 0.8, compiled into each source that calls it. Every source must include xxHash by
/// core/hash/xxhash.hpp, because the first include in a source decides the settings of xxHash.
///
/// Debug builds define XXH_NO_INLINE_HINTS (CMakeLists.txt), because g++ 12 at -Og rejects the
/// calls by pointer of always_inline functions. The header cannot define XXH_NO_INLINE_HINTS
/// itself, because the preprocessor cannot detect -Og. At -O2 without the hints, XXH3 of 100 bytes
/// needs 222 instructions instead of 144.
#define XXH_INLINE_ALL
#include <xxhash.h>
