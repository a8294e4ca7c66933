#pragma once

#include "core/hash/crc32_hasher.hpp"
#include "core/hash/fnv1_hasher.hpp"
#include "core/hash/md5_split_hasher.hpp"
#include "core/hash/murmur3_128_hasher.hpp"
#include "core/hash/murmur64a_hasher.hpp"
#include "core/hash/php_hashers.hpp"
#include "core/hash/siphash_2_4_hasher.hpp"
#include "core/hash/xxh3_hasher.hpp"
#include "core/hash/xxh64_hasher.hpp"

namespace bloometry {

/// Every hash family, the default first, the weak ones last.
using AllHashers =
    HasherList<Xxh3Hasher, Xxh64Hasher, Murmur3128Hasher, Murmur64aHasher, SipHash24Hasher,
               Md5SplitHasher, Crc32Hasher, Fnv1Hasher, BkdrHasher, JsHasher, SdbmHasher>;

}  // namespace bloometry
