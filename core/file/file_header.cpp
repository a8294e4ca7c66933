#include "core/file/file_header.hpp"

#define XXH_INLINE_ALL
#ifndef NDEBUG
// It calls its always_inline functions by pointer: g++ 12 rejects that at -Og.
#define XXH_NO_INLINE_HINTS 1
#endif
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <limits>
#include <map>
#include <utility>
#include <variant>

#include "core/error.hpp"
#include "core/hash/little_endian.hpp"
#include "core/text.hpp"

namespace bloometry {
namespace {

static_assert(std::endian::native == std::endian::little,
              "cells are written as they are in memory");

constexpr std::string_view kMagic(
    "\x89"
    "BLMY\r\n\x1a",
    8);
constexpr std::uint32_t kByteOrderMark = 0x0a0b0c0d;
constexpr std::size_t kHeaderHashOffset = 40;
constexpr std::uint64_t kMaxHeaderBytes = std::uint64_t{1} << 26U;
constexpr std::uint32_t kMaxFields = 4096;
constexpr std::string_view kParamPrefix = "param.";

/// What the value of a field is.
enum class FieldType : std::uint8_t {
  kInteger = 1,      ///< 8 bytes
  kReal = 2,         ///< 8 bytes, IEEE 754
  kText = 3,         ///< UTF-8
  kIntegerList = 4,  ///< 8 bytes each, signed
  kStages = 5,       ///< 40 bytes each
};

template <class Number>
[[nodiscard]] Number number_at(std::string_view bytes, std::size_t offset) {
  return load_little_endian<Number>(bytes.data() + offset);
}

std::uint64_t aligned(std::uint64_t num_bytes) {
  return (num_bytes + kFileAlignment - 1) / kFileAlignment * kFileAlignment;
}

/// The hash of a header in which the hash itself is 0.
std::uint64_t hash_of_header(std::string bytes) {
  bytes.replace(kHeaderHashOffset, sizeof(std::uint64_t), sizeof(std::uint64_t), '\0');
  return XXH3_64bits(bytes.data(), bytes.size());
}

/// Writes fields one after the other.
class FieldWriter {
 public:
  /// A field without which the rest cannot be understood.
  void needed(std::string_view name, const auto& value) { write(name, value, true); }

  void optional(std::string_view name, const auto& value) { write(name, value, false); }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

  [[nodiscard]] std::uint32_t num_fields() const { return num_fields_; }

 private:
  static std::pair<FieldType, std::string> encoded(std::uint64_t number) {
    std::string bytes;
    append_little_endian(bytes, static_cast<std::uint64_t>(number));
    return {FieldType::kInteger, bytes};
  }

  static std::pair<FieldType, std::string> encoded(double number) {
    return {FieldType::kReal, encoded(std::bit_cast<std::uint64_t>(number)).second};
  }

  static std::pair<FieldType, std::string> encoded(const std::string& text) {
    return {FieldType::kText, text};
  }

  static std::pair<FieldType, std::string> encoded(const std::vector<std::int64_t>& list) {
    std::string bytes;
    for (const std::int64_t number : list)
      append_little_endian(bytes, static_cast<std::uint64_t>(number));
    return {FieldType::kIntegerList, bytes};
  }

  static std::pair<FieldType, std::string> encoded(const std::vector<StoredStage>& stages) {
    std::string bytes;
    for (const StoredStage& stage : stages) {
      append_little_endian(bytes, stage.capacity);
      append_little_endian(bytes, std::bit_cast<std::uint64_t>(stage.error_rate));
      append_little_endian(bytes, stage.num_hashes);
      append_little_endian(bytes, stage.num_cells);
      append_little_endian(bytes, stage.num_stored);
    }
    return {FieldType::kStages, bytes};
  }

  static std::pair<FieldType, std::string> encoded(const ParamValue& value) {
    return std::visit([](const auto& held) { return encoded(held); }, value);
  }

  void write(std::string_view name, const auto& value, bool is_needed) {
    const auto [type, bytes] = encoded(value);
    if (bytes.size() > kMaxHeaderBytes / 2) {
      throw ConfigError(std::string(name), "must fit into the header of a file, got " +
                                               std::to_string(bytes.size()) + " bytes");
    }
    append_little_endian(bytes_, static_cast<std::uint8_t>(type));
    append_little_endian(bytes_, static_cast<std::uint8_t>(is_needed ? 1 : 0));
    append_little_endian(bytes_, static_cast<std::uint16_t>(name.size()));
    append_little_endian(bytes_, static_cast<std::uint32_t>(bytes.size()));
    bytes_ += name;
    bytes_ += bytes;
    ++num_fields_;
  }

  std::string bytes_;
  std::uint32_t num_fields_ = 0;
};

void write_fields(const FileHeader& header, FieldWriter& fields) {
  fields.needed("variant", header.variant);
  fields.needed("probes", header.probes);
  if (!header.hash.empty()) fields.needed("hash", header.hash);
  if (header.seed) fields.needed("seed", *header.seed);
  if (header.key_id) fields.needed("key_id", *header.key_id);
  const Geometry& geometry = header.geometry;
  if (header.stages.empty()) {
    fields.needed("num_cells", geometry.num_cells);
    fields.needed("cell_bits", std::uint64_t{geometry.cell_bits});
    fields.needed("num_hashes", std::uint64_t{geometry.num_hashes});
    if (geometry.block_cells > 1) fields.needed("block_cells", std::uint64_t{geometry.block_cells});
  }
  for (const auto& [name, value] : header.params) {
    fields.needed(std::string(kParamPrefix) + name, value);
  }
  if (!header.stages.empty()) fields.needed("stages", header.stages);
  if (geometry.max_fill) fields.optional("max_fill", *geometry.max_fill);
  if (header.num_refused_erases > 0) {
    fields.optional("num_refused_erases", header.num_refused_erases);
  }
  if (header.num_skipped_decrements > 0) {
    fields.optional("num_skipped_decrements", header.num_skipped_decrements);
  }
  const FileNotes& notes = header.notes;
  if (notes.capacity) fields.optional("capacity", *notes.capacity);
  if (notes.target_false_positive_rate) {
    fields.optional("target_false_positive_rate", *notes.target_false_positive_rate);
  }
  if (notes.num_inserted) fields.optional("num_inserted", *notes.num_inserted);
}

[[noreturn]] void refuse(const std::string& what) {
  throw ConfigError(what);
}

/// Printable and short: a file may hold anything.
std::string quoted(std::string_view text) {
  constexpr std::size_t kMostShown = 40;
  std::string shown = "'";
  for (const char c : text.substr(0, kMostShown)) shown += c >= ' ' && c <= '~' ? c : '?';
  return shown + (text.size() > kMostShown ? "...'" : "'");
}

/// One field as it stands in the file.
struct Field {
  std::string_view name;
  std::uint8_t type = 0;
  bool is_needed = false;
  std::string_view value;

  void require(FieldType expected) const {
    if (type == static_cast<std::uint8_t>(expected)) return;
    refuse("field " + quoted(name) + " has type " + std::to_string(type) + ", not " +
           std::to_string(static_cast<unsigned>(expected)));
  }

  void require_multiple_of(std::size_t size) const {
    if (value.size() % size == 0) return;
    refuse("field " + quoted(name) + " has " + std::to_string(value.size()) +
           " bytes, which is no multiple of " + std::to_string(size));
  }

  [[nodiscard]] std::uint64_t word() const {
    if (value.size() != sizeof(std::uint64_t)) {
      refuse("field " + quoted(name) + " has " + std::to_string(value.size()) + " bytes, not 8");
    }
    return number_at<std::uint64_t>(value, 0);
  }

  [[nodiscard]] std::uint64_t integer() const {
    require(FieldType::kInteger);
    return word();
  }

  [[nodiscard]] unsigned small_integer() const {
    const std::uint64_t number = integer();
    if (number > std::numeric_limits<unsigned>::max()) {
      refuse("field " + quoted(name) + " is too large: " + std::to_string(number));
    }
    return static_cast<unsigned>(number);
  }

  [[nodiscard]] double real() const {
    require(FieldType::kReal);
    return std::bit_cast<double>(word());
  }

  [[nodiscard]] std::string text() const {
    require(FieldType::kText);
    return std::string(value);
  }

  [[nodiscard]] std::vector<std::int64_t> list() const {
    require(FieldType::kIntegerList);
    require_multiple_of(sizeof(std::int64_t));
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < value.size(); i += sizeof(std::int64_t)) {
      numbers.push_back(static_cast<std::int64_t>(number_at<std::uint64_t>(value, i)));
    }
    return numbers;
  }

  [[nodiscard]] std::vector<StoredStage> stages() const {
    constexpr std::size_t kStageBytes = 40;
    require(FieldType::kStages);
    require_multiple_of(kStageBytes);
    std::vector<StoredStage> stages;
    for (std::size_t i = 0; i < value.size(); i += kStageBytes) {
      const auto word = [&](std::size_t w) { return number_at<std::uint64_t>(value, i + 8 * w); };
      stages.push_back({word(0), std::bit_cast<double>(word(1)), word(2), word(3), word(4)});
    }
    return stages;
  }

  [[nodiscard]] ParamValue param() const {
    if (type == static_cast<std::uint8_t>(FieldType::kText)) return text();
    if (type == static_cast<std::uint8_t>(FieldType::kIntegerList)) return list();
    return real();
  }
};

/// Reads what write_fields wrote.
const std::map<std::string_view, std::function<void(const Field&, FileHeader&)>>& readers() {
  static const std::map<std::string_view, std::function<void(const Field&, FileHeader&)>> kReaders =
      {{"variant", [](const Field& f, FileHeader& h) { h.variant = f.text(); }},
       {"probes", [](const Field& f, FileHeader& h) { h.probes = f.text(); }},
       {"hash", [](const Field& f, FileHeader& h) { h.hash = f.text(); }},
       {"seed", [](const Field& f, FileHeader& h) { h.seed = f.integer(); }},
       {"key_id", [](const Field& f, FileHeader& h) { h.key_id = f.integer(); }},
       {"num_cells", [](const Field& f, FileHeader& h) { h.geometry.num_cells = f.integer(); }},
       {"cell_bits",
        [](const Field& f, FileHeader& h) { h.geometry.cell_bits = f.small_integer(); }},
       {"num_hashes",
        [](const Field& f, FileHeader& h) { h.geometry.num_hashes = f.small_integer(); }},
       {"block_cells",
        [](const Field& f, FileHeader& h) { h.geometry.block_cells = f.small_integer(); }},
       {"max_fill", [](const Field& f, FileHeader& h) { h.geometry.max_fill = f.real(); }},
       {"stages", [](const Field& f, FileHeader& h) { h.stages = f.stages(); }},
       {"num_refused_erases",
        [](const Field& f, FileHeader& h) { h.num_refused_erases = f.integer(); }},
       {"num_skipped_decrements",
        [](const Field& f, FileHeader& h) { h.num_skipped_decrements = f.integer(); }},
       {"capacity", [](const Field& f, FileHeader& h) { h.notes.capacity = f.integer(); }},
       {"target_false_positive_rate",
        [](const Field& f, FileHeader& h) { h.notes.target_false_positive_rate = f.real(); }},
       {"num_inserted", [](const Field& f, FileHeader& h) { h.notes.num_inserted = f.integer(); }}};
  return kReaders;
}

void read_field(const Field& field, FileHeader& header) {
  if (field.name.starts_with(kParamPrefix)) {
    header.params[std::string(field.name.substr(kParamPrefix.size()))] = field.param();
    return;
  }
  const auto reader = readers().find(field.name);
  if (reader != readers().end()) return reader->second(field, header);
  if (field.is_needed) {
    refuse("field " + quoted(field.name) +
           " is not known to this version, and the filter cannot be read without it");
  }
}

/// Takes fields off the front of the bytes behind the preamble.
class FieldReader {
 public:
  explicit FieldReader(std::string_view bytes) : bytes_(bytes) {}

  Field next() {
    const std::string_view head = take(8);
    Field field;
    field.type = number_at<std::uint8_t>(head, 0);
    const auto flags = number_at<std::uint8_t>(head, 1);
    if (flags > 1) refuse("a field has the unknown flags " + std::to_string(flags));
    field.is_needed = flags == 1;
    field.name = take(number_at<std::uint16_t>(head, 2));
    field.value = take(number_at<std::uint32_t>(head, 4));
    return field;
  }

  [[nodiscard]] std::string_view rest() const { return bytes_; }

 private:
  std::string_view take(std::size_t size) {
    if (size > bytes_.size()) refuse("a field ends behind the header");
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }

  std::string_view bytes_;
};

void require_complete(const FileHeader& header, const std::vector<std::string_view>& names) {
  const auto has = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string_view name : {"variant", "probes"}) {
    if (!has(name)) refuse("field '" + std::string(name) + "' is missing");
  }
  for (const std::string_view name : {"num_cells", "cell_bits", "num_hashes"}) {
    if (has(name) == has("stages")) {
      refuse("field '" + std::string(name) + "' must be there where 'stages' is not");
    }
  }
  if (has("stages") && header.stages.empty()) refuse("field 'stages' is empty");
  if (has("seed") && has("key_id")) refuse("it has a seed and a key id");
  if ((has("seed") || has("key_id")) && !has("hash")) refuse("it has a seed or key id but no hash");
}

}  // namespace

FileNotes with_notes(const FileNotes& own, const FileNotes& given) {
  FileNotes notes = given;
  const std::optional<double>& rate = own.target_false_positive_rate;
  if (!rate) return notes;
  if (given.target_false_positive_rate && *given.target_false_positive_rate != *rate) {
    throw ConfigError("target_false_positive_rate",
                      "must be left out, or the filter's own " + shortest_text(*rate) + ", got " +
                          shortest_text(*given.target_false_positive_rate));
  }
  notes.target_false_positive_rate = rate;
  return notes;
}

std::string encode_header(const FileHeader& header, std::uint64_t payload_bytes,
                          std::uint64_t payload_hash) {
  FieldWriter fields;
  write_fields(header, fields);
  const std::uint64_t header_bytes = aligned(kFilePreambleBytes + fields.bytes().size());
  if (header_bytes > kMaxHeaderBytes) {
    throw ConfigError("header of a file must have at most " + std::to_string(kMaxHeaderBytes) +
                      " bytes, got " + std::to_string(header_bytes));
  }
  std::string bytes(kMagic);
  append_little_endian(bytes, kFileMajorVersion);
  append_little_endian(bytes, kFileMinorVersion);
  append_little_endian(bytes, kByteOrderMark);
  append_little_endian(bytes, header_bytes);
  append_little_endian(bytes, payload_bytes);
  append_little_endian(bytes, payload_hash);
  append_little_endian(bytes, std::uint64_t{0});
  append_little_endian(bytes, fields.num_fields());
  bytes.resize(kFilePreambleBytes);
  bytes += fields.bytes();
  bytes.resize(header_bytes);
  std::string hash;
  append_little_endian(hash, hash_of_header(bytes));
  return bytes.replace(kHeaderHashOffset, hash.size(), hash);
}

FilePreamble decode_preamble(std::string_view bytes, std::uint64_t file_bytes) {
  if (bytes.substr(0, kMagic.size()) != kMagic) refuse("it does not start as a filter file does");
  if (bytes.size() < kFilePreambleBytes) {
    refuse("it ends after " + std::to_string(bytes.size()) + " bytes, within its header");
  }
  const auto major = number_at<std::uint16_t>(bytes, 8);
  if (major != kFileMajorVersion) {
    refuse("its format has major version " + std::to_string(major) + ", this program reads " +
           std::to_string(kFileMajorVersion));
  }
  if (number_at<std::uint32_t>(bytes, 12) != kByteOrderMark) refuse("its byte order is unknown");
  const FilePreamble preamble{.header_bytes = number_at<std::uint64_t>(bytes, 16),
                              .payload_bytes = number_at<std::uint64_t>(bytes, 24),
                              .payload_hash = number_at<std::uint64_t>(bytes, 32)};
  if (preamble.header_bytes < kFilePreambleBytes || preamble.header_bytes > kMaxHeaderBytes ||
      preamble.header_bytes % kFileAlignment != 0) {
    refuse("its header is said to have " + std::to_string(preamble.header_bytes) + " bytes");
  }
  if (preamble.payload_bytes == 0 || preamble.payload_bytes % kFileAlignment != 0) {
    refuse("it is said to have " + std::to_string(preamble.payload_bytes) + " bytes of cells");
  }
  if (preamble.header_bytes > file_bytes ||
      preamble.payload_bytes != file_bytes - preamble.header_bytes) {
    refuse("it has " + std::to_string(file_bytes) + " bytes, not " +
           std::to_string(preamble.header_bytes) + " of header and " +
           std::to_string(preamble.payload_bytes) + " of cells");
  }
  return preamble;
}

FileHeader decode_header(std::string_view bytes) {
  if (hash_of_header(std::string(bytes)) != number_at<std::uint64_t>(bytes, kHeaderHashOffset)) {
    refuse("its header is damaged: the checksum differs");
  }
  FileHeader header;
  std::vector<std::string_view> names;
  FieldReader fields(bytes.substr(kFilePreambleBytes));
  const auto num_fields = number_at<std::uint32_t>(bytes, 48);
  if (num_fields > kMaxFields) refuse("it has " + std::to_string(num_fields) + " fields");
  for (std::uint32_t i = 0; i < num_fields; ++i) {
    const Field field = fields.next();
    if (std::find(names.begin(), names.end(), field.name) != names.end()) {
      refuse("field " + quoted(field.name) + " is there twice");
    }
    names.push_back(field.name);
    read_field(field, header);
  }
  if (fields.rest().find_first_not_of('\0') != std::string_view::npos ||
      fields.rest().size() >= kFileAlignment) {
    refuse("there is something behind the fields of its header");
  }
  require_complete(header, names);
  return header;
}

}  // namespace bloometry
