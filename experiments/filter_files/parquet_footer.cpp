#include "experiments/filter_files/parquet_footer.hpp"

#include <algorithm>

#include "core/hash/little_endian.hpp"

namespace bloometry {
namespace {

/// Type of a field or of the elements of a list in the compact protocol.
enum Type : unsigned {
  kStop = 0,
  kTrue = 1,
  kFalse = 2,
  kByte = 3,
  kI16 = 4,
  kI32 = 5,
  kI64 = 6,
  kDouble = 7,
  kBinary = 8,
  kList = 9,
  kSet = 10,
  kStruct = 12,
};

/// Reads values of the compact protocol from first to last. After an invalid value, failed() is
/// true and all further values are 0.
class ThriftReader {
 public:
  explicit ThriftReader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] bool failed() const noexcept { return failed_; }

  [[nodiscard]] std::size_t num_bytes_left() const noexcept { return rest_.size(); }

  std::int64_t integer() {
    const std::uint64_t zigzag = varint();
    return static_cast<std::int64_t>(zigzag >> 1U ^ (0 - (zigzag & 1U)));
  }

  std::string_view binary() { return take(varint()); }

  /// Calls on_field(id, type) for each field. The function skips the value of a field for which
  /// on_field returns false.
  template <class OnField>
  void read_struct(OnField on_field, unsigned depth = 0) {
    std::int64_t id = 0;
    while (!failed_) {
      const unsigned head = byte();
      if (head == kStop) return;
      // A damaged identifier may be the largest integer, so the sum is unsigned.
      id = head / 16 == 0 ? integer()
                          : static_cast<std::int64_t>(static_cast<std::uint64_t>(id) + head / 16);
      if (!on_field(id, head % 16)) skip(head % 16, depth);
    }
  }

  /// Calls on_element() for each element of a list.
  template <class OnElement>
  void read_list(unsigned element_type, OnElement on_element) {
    const auto [size, type] = list_head();
    if (type != element_type) failed_ = true;
    for (std::uint64_t i = 0; i < size && !failed_; ++i) on_element();
  }

 private:
  struct ListHead {
    std::uint64_t size;
    unsigned type;
  };

  ListHead list_head() {
    const unsigned head = byte();
    const std::uint64_t size = head / 16 == 15 ? varint() : head / 16;
    return {size, head % 16};
  }

  std::string_view take(std::uint64_t size) {
    failed_ |= size > rest_.size();
    if (failed_) return {};
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  unsigned byte() {
    const std::string_view taken = take(1);
    return taken.empty() ? 0 : static_cast<unsigned char>(taken.front());
  }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !failed_; shift += 7) {
      const unsigned part = byte();
      value |= std::uint64_t{part & 0x7fU} << shift;
      if (part < 0x80) return value;
    }
    failed_ = true;
    return 0;
  }

  void skip_list(unsigned depth) {
    const auto [size, type] = list_head();
    const bool is_flag = type == kTrue || type == kFalse;  // an element of a list has a byte
    for (std::uint64_t i = 0; i < size && !failed_; ++i) skip(is_flag ? kByte : type, depth + 1);
  }

  /// Skips a value. FileMetaData does not contain maps.
  void skip(unsigned type, unsigned depth) {
    constexpr unsigned kMaxDepth = 16;
    if (depth > kMaxDepth) failed_ = true;
    if (failed_ || type == kTrue || type == kFalse) return;
    if (type == kByte) {
      byte();
    } else if (type == kI16 || type == kI32 || type == kI64) {
      varint();
    } else if (type == kDouble) {
      take(8);
    } else if (type == kBinary) {
      binary();
    } else if (type == kList || type == kSet) {
      skip_list(depth);
    } else if (type == kStruct) {
      read_struct([](std::int64_t /*id*/, unsigned /*type*/) { return false; }, depth + 1);
    } else {
      failed_ = true;
    }
  }

  std::string_view rest_;
  bool failed_ = false;
};

/// The fields of ColumnMetaData that describe a Bloom filter.
struct Column {
  std::string path{};
  std::int64_t offset = -1;  ///< bloom_filter_offset, or -1
  std::int64_t length = -1;  ///< bloom_filter_length, or -1; older writers omit it
};

Column read_column(ThriftReader& reader) {
  Column column;
  reader.read_struct([&](std::int64_t id, unsigned type) {
    if (id == 3 && type == kList) {
      reader.read_list(kBinary, [&] {
        if (!column.path.empty()) column.path += '.';
        column.path += reader.binary();
      });
    } else if (id == 14 && type == kI64) {
      column.offset = reader.integer();
    } else if (id == 15 && type == kI32) {
      column.length = reader.integer();
    } else {
      return false;
    }
    return true;
  });
  return column;
}

/// Calls on_column(column) for each column of each row group.
template <class OnColumn>
void read_columns(ThriftReader& reader, OnColumn on_column) {
  const auto read_chunk = [&] {
    reader.read_struct([&](std::int64_t id, unsigned type) {
      if (id != 3 || type != kStruct) return false;
      on_column(read_column(reader));
      return true;
    });
  };
  const auto read_row_group = [&] {
    reader.read_struct([&](std::int64_t id, unsigned type) {
      if (id != 1 || type != kList) return false;
      reader.read_list(kStruct, read_chunk);
      return true;
    });
  };
  reader.read_struct([&](std::int64_t id, unsigned type) {
    if (id != 4 || type != kList) return false;
    reader.read_list(kStruct, read_row_group);
    return true;
  });
}

/// Returns the number of bytes of the Bloom filter at the start of the bytes: its header, and the
/// bits whose number the header states.
std::int64_t length_by_header(std::string_view bytes) {
  // A header has about 20 bytes. With a limit, the time for a damaged footer with many columns is
  // linear.
  constexpr std::size_t kMaxHeaderBytes = 256;
  bytes = bytes.substr(0, kMaxHeaderBytes);
  ThriftReader reader(bytes);
  std::int64_t num_bytes = 0;
  reader.read_struct([&](std::int64_t id, unsigned type) {
    if (id != 1 || type != kI32) return false;
    num_bytes = reader.integer();
    return true;
  });
  const auto header_bytes = static_cast<std::int64_t>(bytes.size() - reader.num_bytes_left());
  const bool is_valid = !reader.failed() && num_bytes > 0 && num_bytes <= INT32_MAX;
  return is_valid ? header_bytes + num_bytes : -1;
}

}  // namespace

std::optional<ParquetBloomFilters> bloom_filters_of_parquet(std::string_view file) {
  constexpr std::size_t kEndBytes = 8;  // the size of the footer, and PAR1
  if (file.size() < kEndBytes || !file.ends_with("PAR1")) return std::nullopt;
  const auto footer_bytes =
      load_little_endian<std::uint32_t>(file.data() + file.size() - kEndBytes);
  if (footer_bytes > file.size() - kEndBytes) return std::nullopt;
  const std::size_t footer_at = file.size() - kEndBytes - footer_bytes;
  ThriftReader reader(file.substr(footer_at, footer_bytes));
  ParquetBloomFilters filters;
  read_columns(reader, [&](Column column) {
    if (column.offset < 0 || static_cast<std::uint64_t>(column.offset) >= footer_at) return;
    const auto offset = static_cast<std::uint64_t>(column.offset);
    if (column.length < 0) column.length = length_by_header(file.substr(offset));
    const auto length = static_cast<std::uint64_t>(column.length);
    if (column.length < 0 || length > footer_at - offset) return;
    if (++filters.num_filters > 1) return;
    filters.first_offset = offset;
    filters.first_bytes = length;
    filters.first_column = column.path;
  });
  if (reader.failed()) return std::nullopt;
  return filters;
}

}  // namespace bloometry
