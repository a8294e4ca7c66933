#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/contract/filter.hpp"
#include "core/engine/store_access.hpp"
#include "core/error.hpp"
#include "core/file/file_header.hpp"
#include "core/file/mapped_file.hpp"
#include "core/file/stored_file.hpp"
#include "core/probe/probe_policy.hpp"

/// Conversion between filters and files. A filter class without an engine (variants/scalable)
/// implements the conversion in its members `describe` and `restored`. With MappedMemory, such a
/// class also has the member `mapped`.
namespace bloometry {

/// Contents of a filter's file. A FilterImage refers to the cells of the filter and does not copy
/// them.
struct FilterImage {
  // The constructor is always inlined, because the linker must not use a copy that was compiled for
  // another instruction set (core/isa/compiled_isa.hpp).
  [[gnu::always_inline]] FilterImage() = default;

  FileHeader header{};
  std::vector<std::span<const std::uint64_t>> stores{};
};

namespace file_detail {

/// The facts of a filter class with which the header of a file must agree. Functions of these facts
/// are compiled once, and not for each class.
struct StoredClass {
  std::string_view variant;
  std::string_view probes;
  bool sized_by_counters;
  Geometry (*geometry)(const FilterSpec& spec);
  std::uint64_t (*num_words_for)(const Geometry& geometry);
};

template <class F>
inline constexpr StoredClass kStoredClass = {.variant = F::kName,
                                             .probes = F::Probes::kName,
                                             .sized_by_counters = F::kDescription.sized_by_counters,
                                             .geometry = &F::geometry,
                                             .num_words_for = &F::num_words_for};

/// Writes the names of a class to the header. Compiled once, as the functions of StoredClass.
void set_names(FileHeader& header, std::string_view variant, std::string_view probes);

/// Returns an error message if the variant or the probe scheme of a header is another one than the
/// given one, and an empty string otherwise.
[[nodiscard]] std::string name_mismatch(const FileHeader& header, std::string_view variant,
                                        std::string_view probes);

/// Returns the spec whose geometry should be the geometry of a header.
[[nodiscard]] FilterSpec spec_of(const FileHeader& header, bool sized_by_counters);

template <class F>
[[nodiscard]] FilterSpec spec_of(const FileHeader& header) {
  return spec_of(header, F::kDescription.sized_by_counters);
}

/// Returns an error message if a filter of the class cannot have the names, the geometry and the
/// payload size, and an empty string otherwise.
[[nodiscard]] std::string class_mismatch(const FileHeader& header, const StoredClass& stored,
                                         std::uint64_t payload_bytes);

/// Returns whether all bits after the last cell of a store are 0.
[[nodiscard]] inline bool has_clean_end(std::span<const std::uint64_t> words,
                                        std::uint64_t num_bits) noexcept {
  std::uint64_t rest = 0;
  std::uint64_t word = num_bits / 64;
  if (num_bits % 64 != 0) rest |= words[word++] >> num_bits % 64;
  for (; word < words.size(); ++word) rest |= words[word];
  return rest == 0;
}

/// Checks that the variant and the probe scheme of the file equal those of F.
template <class F>
void require_names(const auto& file) {
  const std::string mismatch = name_mismatch(file.header(), F::kName, F::Probes::kName);
  if (!mismatch.empty()) file.refuse(mismatch);
}

/// Checks that a filter of the class F can have the header and the payload size of the file.
template <class F>
void require_class(const auto& file, std::uint64_t payload_bytes) {
  const std::string mismatch = class_mismatch(file.header(), kStoredClass<F>, payload_bytes);
  if (!mismatch.empty()) file.refuse(mismatch);
}

/// Returns make(), an empty filter with a geometry that require_class accepted. Calls file.refuse
/// if the constructor throws ConfigError. Unlike require_class, the constructor also checks that
/// probes can be distinct.
template <class Make>
auto made_for(const auto& file, Make make) -> decltype(make()) {
  try {
    return make();
  } catch (const ConfigError& error) {
    file.refuse(error.what());
  }
}

void restore_tally(auto& filter, const FileHeader& header) {
  if constexpr (requires { StoreAccess::tally(filter).num_refused_erases; }) {
    StoreAccess::tally(filter).num_refused_erases = header.num_refused_erases;
    StoreAccess::tally(filter).num_skipped_decrements = header.num_skipped_decrements;
  }
}

/// Reads the cells of a store. Returns whether all bits after the last cell are 0, also those of
/// the padding.
[[nodiscard]] inline bool read_store(StoredFile& file, std::span<std::uint64_t> words,
                                     std::uint64_t num_bits) {
  const bool is_padding_clean = file.read(words);
  return is_padding_clean && has_clean_end(words, num_bits);
}

[[noreturn]] void refuse_end(const auto& file) {
  file.refuse("it is damaged: a bit after its last cell is set");
}

}  // namespace file_detail

/// A filter whose function `describe` writes its FilterImage. For all other filters, image_of makes
/// the FilterImage from the geometry and the cells.
template <class F>
concept SelfDescribing = requires(const F& filter, FilterImage& image) {
  filter.describe(image);
};

/// A filter that can be stored in a file.
template <class F>
concept StorableFilter = Filter<F> && ProbePolicy<typename F::Probes> &&
    (SelfDescribing<F> || BorrowingFilter<F>);

/// Returns the contents of the filter's file, without the hash and the notes. The filter must
/// outlive the image.
template <StorableFilter F>
[[nodiscard]] FilterImage image_of(const F& filter) {
  FilterImage image;
  FileHeader& header = image.header;
  file_detail::set_names(header, F::kName, F::Probes::kName);
  if constexpr (SelfDescribing<F>) {
    filter.describe(image);
  } else {
    header.geometry = filter.geometry();
    header.params = filter.params();
    if constexpr (requires { StoreAccess::tally(filter).num_refused_erases; }) {
      header.num_refused_erases = StoreAccess::tally(filter).num_refused_erases;
      header.num_skipped_decrements = StoreAccess::tally(filter).num_skipped_decrements;
    }
    image.stores.push_back(StoreAccess::cells(filter).all_words());
  }
  return image;
}

/// Reads a filter from a file. The returned filter owns its memory. The checks are those of
/// `mapped`, in the same order, and then that of the checksum, so that a fault has one message.
/// @throws ConfigError that names the file if the file contains another variant or scheme, or is
/// damaged.
/// @throws MemoryError if the memory for the cells could not be allocated.
/// @throws IoError if a system call fails.
template <StorableFilter F>
[[nodiscard]] F restored(StoredFile& file) {
  if constexpr (SelfDescribing<F>) {
    file_detail::require_names<F>(file);
    F filter = F::restored(file);
    file.require_intact();
    return filter;
  } else {
    file_detail::require_class<F>(file, file.preamble().payload_bytes);
    F filter =
        file_detail::made_for(file, [&] { return F(file_detail::spec_of<F>(file.header())); });
    const auto words = StoreAccess::cells(filter).all_words();
    if (!file_detail::read_store(file, words, filter.num_bits())) file_detail::refuse_end(file);
    file.require_intact();
    StoreAccess::after_write(filter);
    file_detail::restore_tally(filter, file.header());
    return filter;
  }
}

/// Class of a filter whose cells are in a mapped file. Such a filter is read-only.
template <StorableFilter F>
using MappedFilterOf = typename F::template WithMemory<MappedMemory>;

/// Reads a filter from a file. The cells of the filter are in the mapped pages of the file.
/// @throws the errors of `restored`, except that damaged cells are not detected
template <StorableFilter F>
[[nodiscard]] MappedFilterOf<F> mapped(const MappedFile& file) {
  if constexpr (SelfDescribing<F>) {
    file_detail::require_names<F>(file);
    return MappedFilterOf<F>::mapped(file);
  } else {
    file_detail::require_class<F>(file, file.payload().size_bytes());
    MappedFilterOf<F> filter = file_detail::made_for(file, [&] {
      return MappedFilterOf<F>(file_detail::spec_of<F>(file.header()),
                               MappedMemory{file.owner(), file.payload()});
    });
    if (!file_detail::has_clean_end(file.payload(), filter.num_bits())) {
      file_detail::refuse_end(file);
    }
    file_detail::restore_tally(filter, file.header());
    return filter;
  }
}

}  // namespace bloometry
