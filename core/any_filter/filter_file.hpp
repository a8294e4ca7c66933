#pragma once

#include <filesystem>
#include <string>
#include <type_traits>
#include <utility>

#include "core/any_filter/keyed.hpp"
#include "core/error.hpp"
#include "core/file/filter_image.hpp"
#include "core/hash/hasher.hpp"

/// Functions that save, load and map filters in files (core/file/README.md):
///
///     save(seen, "seen.bloom", {.capacity = 1'000'000});
///     const auto seen = load<Keyed<StandardFilter>>("seen.bloom");
///     const auto shared = map<Keyed<StandardFilter>>("seen.bloom");  // read-only, not copied
namespace bloometry {
namespace file_detail {

template <class T>
inline constexpr bool kIsKeyed = false;

template <class F, class H>
inline constexpr bool kIsKeyed<Keyed<F, H>> = true;

template <class H>
void describe_hasher(const H& hasher, FileHeader& header) {
  header.hash = H::kName;
  if constexpr (SecretHasher<H>) {
    header.key_id = hasher.key_id();
  } else if constexpr (SeededHasher<H>) {
    header.seed = hasher.seed();
  }
}

/// @throws ConfigError if the file does not name the hash H.
template <class H>
void require_hash(const auto& file) {
  const FileHeader& header = file.header();
  if (header.hash == H::kName) return;
  file.refuse(header.hash.empty()
                  ? "its header does not name a hash; load the filter without Keyed, and "
                    "construct a Keyed from it"
                  : "its hash must be " + std::string(H::kName) + ", got " + header.hash);
}

/// Returns the hasher with the seed in the file.
template <class H>
H hasher_of(const auto& file) requires(!SecretHasher<H>) {
  require_hash<H>(file);
  if constexpr (SeededHasher<H>) {
    if (!file.header().seed) file.refuse("the seed of its hash is missing");
    return H(*file.header().seed);
  } else {
    return H(0);
  }
}

/// Returns the hasher with a secret key. The file must contain the id of the key.
template <SecretHasher H>
H hasher_of(const auto& file, typename H::Key key) {
  require_hash<H>(file);
  H hasher(key);
  if (!file.header().key_id) file.refuse("the id of its secret key is missing");
  if (*file.header().key_id != hasher.key_id())
    file.refuse("its secret must be the given secret, got another one");
  return hasher;
}

/// Returns the filter T over the pages of a file, after the given checks.
template <class T>
MappedFilterOf<T> mapped_with(const MappedFile& file, MappedFile::Checks checks) {
  MappedFilterOf<T> filter = mapped<T>(file);
  if (checks == MappedFile::Checks::kAll) file.require_intact();
  return filter;
}

/// Returns the Keyed filter T over the pages of a file, after the given checks.
template <class T>
auto mapped_with(const MappedFile& file, MappedFile::Checks checks, typename T::Hash hasher) {
  using Inner = typename T::Inner;
  return Keyed<MappedFilterOf<Inner>, typename T::Hash>(mapped_with<Inner>(file, checks),
                                                        std::move(hasher));
}

}  // namespace file_detail

/// Returns the contents of the filter's file, including the name and the seed of the hash. For a
/// secret hash, the contents include the id of the key, but never the key. The filter must outlive
/// the image.
template <StorableFilter F, Hasher H>
[[nodiscard]] FilterImage image_of(const Keyed<F, H>& filter) {
  FilterImage image = image_of(filter.filter());
  file_detail::describe_hasher(filter.hasher(), image.header);
  return image;
}

/// Writes a filter of digests to a file. An existing file is replaced as a whole.
/// @throws ConfigError if the path exists and is not a regular file.
/// @throws IoError if a system call fails; the old file then remains unchanged.
template <StorableFilter F>
void save(const F& filter, const std::filesystem::path& path, const FileNotes& notes = {}) {
  FilterImage image = image_of(filter);
  image.header.notes = with_notes(image.header.notes, notes);
  write_filter_file(path, image.header, image.stores);
}

/// Writes a filter and the name of its hash to a file. The function replaces and throws as the
/// overload for filters of digests does.
template <StorableFilter F, Hasher H>
void save(const Keyed<F, H>& filter, const std::filesystem::path& path,
          const FileNotes& notes = {}) {
  FilterImage image = image_of(filter);
  image.header.notes = with_notes(image.header.notes, notes);
  write_filter_file(path, image.header, image.stores);
}

/// Reads a filter from a file. The call `load<StandardFilter>(path)` returns a filter of digests.
/// The call `load<Keyed<StandardFilter>>(path)` also reads the seed from the file.
/// @throws ConfigError that names the file if the file is damaged, or if its variant, scheme or
/// hash differs from that of T.
/// @throws MemoryError if the memory for the cells could not be allocated.
/// @throws IoError if a system call fails.
template <class T>
[[nodiscard]] T load(const std::filesystem::path& path) {
  StoredFile file(path);
  if constexpr (file_detail::kIsKeyed<T>) {
    auto hasher = file_detail::hasher_of<typename T::Hash>(file);
    return T(restored<typename T::Inner>(file), std::move(hasher));
  } else {
    return restored<T>(file);
  }
}

/// Reads a filter whose hash has a secret key from a file.
/// @throws the errors of load(path), and ConfigError if the file was written with another key
template <class T>
[[nodiscard]] T load(const std::filesystem::path& path, typename T::Hash::Key key) {
  StoredFile file(path);
  auto hasher = file_detail::hasher_of<typename T::Hash>(file, std::move(key));
  return T(restored<typename T::Inner>(file), std::move(hasher));
}

/// Returns a read-only filter over the pages of a file, which many processes may share. By default,
/// `map` does not verify the checksum of the cells, because the verification reads all cells.
/// @throws the errors of `load`
template <class T>
[[nodiscard]] auto map(const std::filesystem::path& path,
                       MappedFile::Checks checks = MappedFile::Checks::kHeader) {
  const MappedFile file(path);
  if constexpr (file_detail::kIsKeyed<T>) {
    auto hasher = file_detail::hasher_of<typename T::Hash>(file);
    return file_detail::mapped_with<T>(file, checks, std::move(hasher));
  } else {
    return file_detail::mapped_with<T>(file, checks);
  }
}

/// Returns a read-only filter over the pages of a file, for a hash with a secret key. Throws the
/// errors of load(path, key).
template <class T>
[[nodiscard]] auto map(const std::filesystem::path& path, typename T::Hash::Key key,
                       MappedFile::Checks checks = MappedFile::Checks::kHeader) {
  const MappedFile file(path);
  auto hasher = file_detail::hasher_of<typename T::Hash>(file, std::move(key));
  return file_detail::mapped_with<T>(file, checks, std::move(hasher));
}

}  // namespace bloometry
