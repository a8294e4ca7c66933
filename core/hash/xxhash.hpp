#pragma once

/// xxHash 0.8, compiled into each source that calls it. All sources must include xxHash by this
/// header, because the first include in a source decides its settings.
///
/// Debug builds define XXH_NO_INLINE_HINTS (CMakeLists.txt), because g++ 12 at -Og rejects the
/// calls by pointer of always_inline functions. This header cannot define the macro itself, because
/// the preprocessor cannot detect -Og. At -O2 without the hints, XXH3 of 100 bytes needs 222
/// instructions instead of 144.
#define XXH_INLINE_ALL
#include <xxhash.h>
