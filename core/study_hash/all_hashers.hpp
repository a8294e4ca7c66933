#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "core/hash/aes_hasher.hpp"
#include "core/hash/folded_multiply_hasher.hpp"
#include "core/hash/murmur3_128_hasher.hpp"
#include "core/hash/murmur64a_hasher.hpp"
#include "core/hash/siphash_hashers.hpp"
#include "core/hash/splitmix64_xxh3_hasher.hpp"
#include "core/hash/xxh3_hasher.hpp"
#include "core/hash/xxh64_hasher.hpp"
#include "core/study_hash/crc32_hasher.hpp"
#include "core/study_hash/fnv1_hasher.hpp"
#include "core/study_hash/md5_split_hasher.hpp"
#include "core/study_hash/php_hashers.hpp"

namespace bloometry {

/// Families of core/hash, with the default family first.
using LibraryHashers =
    HasherList<Xxh3Hasher, FoldedMultiplyHasher, AesHasher, SplitMix64Xxh3Hasher, Xxh64Hasher,
               Murmur3128Hasher, Murmur64aHasher, SipHash24Hasher, SipHash128Hasher>;

/// Families of core/study_hash, with the weak families last.
using StudyHashers =
    HasherList<Md5SplitHasher, Crc32Hasher, Fnv1Hasher, BkdrHasher, JsHasher, SdbmHasher>;

/// Every hash family.
using AllHashers =
    decltype(std::tuple_cat(std::declval<LibraryHashers>(), std::declval<StudyHashers>()));

namespace all_hashers_detail {

template <class... Hs>
auto strong_of(std::type_identity<HasherList<Hs...>>) -> decltype(std::tuple_cat(
    std::declval<std::conditional_t<Hs::kIsWeak, HasherList<>, HasherList<Hs>>>()...));

}  // namespace all_hashers_detail

/// List of the families that are not weak.
using StrongHashers = decltype(all_hashers_detail::strong_of(std::type_identity<AllHashers>{}));

}  // namespace bloometry
