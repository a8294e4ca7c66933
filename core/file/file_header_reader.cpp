#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/file/file_header.hpp"
#include "core/file/file_header_format.hpp"
#include "core/hash/little_endian.hpp"

namespace bloometry {
namespace {

using namespace file_format;

template <class Number>
[[nodiscard]] Number number_at(std::string_view bytes, std::size_t offset) {
  return load_little_endian<Number>(bytes.data() + offset);
}

[[noreturn]] void refuse(const std::string& what) {
  throw ConfigError(what);
}

/// Returns the beginning of a string in quotes, with only printable characters, because a file may
/// contain any bytes.
std::string quoted(std::string_view text) {
  constexpr std::size_t kMostShown = 40;
  std::string shown = "'";
  for (const char c : text.substr(0, kMostShown)) shown += c >= ' ' && c <= '~' ? c : '?';
  return shown + (text.size() > kMostShown ? "...'" : "'");
}

/// A field as stored in the file.
struct Field {
  std::string_view name;
  std::uint8_t type = 0;
  bool is_needed = false;
  std::string_view value;

  void require(FieldType expected) const {
    if (type == static_cast<std::uint8_t>(expected)) return;
    refuse("field " + quoted(name) + " must have type " +
           std::to_string(static_cast<unsigned>(expected)) + ", got " + std::to_string(type));
  }

  void require_multiple_of(std::size_t size) const {
    if (value.size() % size == 0) return;
    refuse("field " + quoted(name) + " must have a multiple of " + std::to_string(size) +
           " bytes, got " + std::to_string(value.size()));
  }

  [[nodiscard]] std::uint64_t word() const {
    if (value.size() != sizeof(std::uint64_t)) {
      refuse("field " + quoted(name) + " must have 8 bytes, got " + std::to_string(value.size()));
    }
    return number_at<std::uint64_t>(value, 0);
  }

  [[nodiscard]] std::uint64_t integer() const {
    require(FieldType::kInteger);
    return word();
  }

  /// Returns true. A field that is a mark is left out if it does not hold.
  [[nodiscard]] bool mark() const {
    if (const std::uint64_t number = integer(); number != 1) {
      refuse("field " + quoted(name) + " must be 1, got " + std::to_string(number));
    }
    return true;
  }

  [[nodiscard]] unsigned small_integer() const {
    const std::uint64_t number = integer();
    constexpr unsigned kMost = std::numeric_limits<unsigned>::max();
    if (number > kMost) {
      refuse("field " + quoted(name) + " must be at most " + std::to_string(kMost) + ", got " +
             std::to_string(number));
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
    numbers.reserve(value.size() / sizeof(std::int64_t));
    for (std::size_t i = 0; i < value.size(); i += sizeof(std::int64_t)) {
      numbers.push_back(static_cast<std::int64_t>(number_at<std::uint64_t>(value, i)));
    }
    return numbers;
  }

  [[nodiscard]] std::vector<std::uint64_t> counts() const {
    std::vector<std::uint64_t> counts;
    for (const std::int64_t number : list()) {
      if (number < 0) {
        refuse("field " + quoted(name) + " must have no negative number, got " +
               std::to_string(number));
      }
      counts.push_back(static_cast<std::uint64_t>(number));
    }
    return counts;
  }

  [[nodiscard]] std::vector<StoredStage> stages() const {
    require(FieldType::kStages);
    require_multiple_of(kStageBytes);
    std::vector<StoredStage> stages;
    stages.reserve(value.size() / kStageBytes);
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

GenerationCounts& generations_of(FileHeader& header) {
  if (!header.generations) header.generations.emplace();
  return *header.generations;
}

/// Returns the functions that read the fields, by field name. The function write_fields in
/// file_header_writer.cpp writes the fields.
const std::map<std::string_view, std::function<void(const Field&, FileHeader&)>>& readers() {
  static const std::map<std::string_view, std::function<void(const Field&, FileHeader&)>> kReaders =
      {{field_name::kVariant, [](const Field& f, FileHeader& h) { h.variant = f.text(); }},
       {field_name::kProbes, [](const Field& f, FileHeader& h) { h.probes = f.text(); }},
       {field_name::kHash, [](const Field& f, FileHeader& h) { h.hash = f.text(); }},
       {field_name::kSeed, [](const Field& f, FileHeader& h) { h.seed = f.integer(); }},
       {field_name::kKeyId, [](const Field& f, FileHeader& h) { h.key_id = f.integer(); }},
       {field_name::kNumCells,
        [](const Field& f, FileHeader& h) { h.geometry.num_cells = f.integer(); }},
       {field_name::kCellBits,
        [](const Field& f, FileHeader& h) { h.geometry.cell_bits = f.small_integer(); }},
       {field_name::kNumHashes,
        [](const Field& f, FileHeader& h) { h.geometry.num_hashes = f.small_integer(); }},
       {field_name::kBlockCells,
        [](const Field& f, FileHeader& h) { h.geometry.block_cells = f.small_integer(); }},
       {field_name::kMaxFill,
        [](const Field& f, FileHeader& h) { h.geometry.max_fill = f.real(); }},
       {field_name::kStages, [](const Field& f, FileHeader& h) { h.stages = f.stages(); }},
       {field_name::kGenerations,
        [](const Field& f, FileHeader& h) { generations_of(h).num_inserted = f.counts(); }},
       {field_name::kNumRotations,
        [](const Field& f, FileHeader& h) { generations_of(h).num_rotations = f.integer(); }},
       {field_name::kNumTicks,
        [](const Field& f, FileHeader& h) { generations_of(h).num_ticks = f.integer(); }},
       {field_name::kNumOverfullGenerations,
        [](const Field& f, FileHeader& h) { generations_of(h).num_overfull = f.integer(); }},
       {field_name::kNumRefusedErases,
        [](const Field& f, FileHeader& h) { h.num_refused_erases = f.integer(); }},
       {field_name::kNumSkippedDecrements,
        [](const Field& f, FileHeader& h) { h.num_skipped_decrements = f.integer(); }},
       {field_name::kCapacity,
        [](const Field& f, FileHeader& h) { h.notes.capacity = f.integer(); }},
       {field_name::kTargetFalsePositiveRate,
        [](const Field& f, FileHeader& h) { h.notes.target_false_positive_rate = f.real(); }},
       {field_name::kNumInserted,
        [](const Field& f, FileHeader& h) { h.notes.num_inserted = f.integer(); }},
       {field_name::kIsIntersected,
        [](const Field& f, FileHeader& h) { h.notes.is_intersected = f.mark(); }}};
  return kReaders;
}

void read_field(const Field& field, FileHeader& header) {
  if (field.name.starts_with(field_name::kParamPrefix)) {
    header.params[std::string(field.name.substr(field_name::kParamPrefix.size()))] = field.param();
    return;
  }
  const auto reader = readers().find(field.name);
  if (reader != readers().end()) return reader->second(field, header);
  if (field.is_needed) {
    refuse("field " + quoted(field.name) +
           " is needed to read the filter, but only a newer version of bloometry supports it");
  }
}

/// Reads the fields after the preamble, from first to last.
class FieldReader {
 public:
  explicit FieldReader(std::string_view bytes) : bytes_(bytes) {}

  Field next() {
    ++number_;
    const std::string_view head = read(8);
    Field field;
    field.type = number_at<std::uint8_t>(head, 0);
    const auto flags = number_at<std::uint8_t>(head, 1);
    if (flags > 1)
      refuse("field " + std::to_string(number_) + " must have flags 0 or 1, got " +
             std::to_string(flags));
    field.is_needed = flags == 1;
    field.name = read(number_at<std::uint16_t>(head, 2));
    field.value = read(number_at<std::uint32_t>(head, 4));
    return field;
  }

  [[nodiscard]] std::string_view rest() const { return bytes_; }

 private:
  std::string_view read(std::size_t size) {
    if (size > bytes_.size())
      refuse("field " + std::to_string(number_) + " ends after the end of the header");
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }

  std::string_view bytes_;
  std::uint32_t number_ = 0;  // of the field, counted from 1
};

void require_complete(const FileHeader& header, const std::vector<std::string_view>& names) {
  const auto has = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string_view name : {field_name::kVariant, field_name::kProbes}) {
    if (!has(name)) refuse("field '" + std::string(name) + "' is missing");
  }
  for (const std::string_view name :
       {field_name::kNumCells, field_name::kCellBits, field_name::kNumHashes}) {
    if (has(name) == has(field_name::kStages)) {
      refuse("it must have either the field '" + std::string(name) + "' or the field 'stages'");
    }
  }
  for (const std::string_view name : {field_name::kGenerations, field_name::kNumRotations}) {
    if (header.generations && !has(name)) {
      refuse("field '" + std::string(name) + "' is missing");
    }
  }
  if (has(field_name::kStages) && header.stages.empty()) refuse("field 'stages' is empty");
  if (has(field_name::kSeed) && has(field_name::kKeyId))
    refuse("it must not have both a seed and a key id");
  if ((has(field_name::kSeed) || has(field_name::kKeyId)) && !has(field_name::kHash)) {
    refuse("it must name its hash, because it has a seed or a key id");
  }
}

}  // namespace

FilePreamble decode_preamble(std::string_view bytes, std::uint64_t file_bytes) {
  if (bytes.substr(0, kMagic.size()) != kMagic)
    refuse("its first bytes are not those of a filter file");
  if (bytes.size() < kFilePreambleBytes) {
    refuse("it ends after " + std::to_string(bytes.size()) + " bytes, within its header");
  }
  const auto major = number_at<std::uint16_t>(bytes, 8);
  if (major != kFileMajorVersion) {
    refuse("its format must have major version " + std::to_string(kFileMajorVersion) + ", got " +
           std::to_string(major) +
           (major > kFileMajorVersion ? ": a newer version of bloometry wrote it, or it is damaged"
                                      : ""));
  }
  const auto byte_order = number_at<std::uint32_t>(bytes, 12);
  if (byte_order != kByteOrderMark) {
    refuse("its byte order mark must be " + std::to_string(kByteOrderMark) + ", got " +
           std::to_string(byte_order));
  }
  const FilePreamble preamble{.header_bytes = number_at<std::uint64_t>(bytes, 16),
                              .payload_bytes = number_at<std::uint64_t>(bytes, 24),
                              .payload_hash = number_at<std::uint64_t>(bytes, 32)};
  if (preamble.header_bytes < kFilePreambleBytes || preamble.header_bytes > kMaxHeaderBytes ||
      preamble.header_bytes % kFileAlignment != 0) {
    refuse("its header must have a multiple of " + std::to_string(kFileAlignment) + " bytes in [" +
           std::to_string(kFilePreambleBytes) + ", " + std::to_string(kMaxHeaderBytes) + "], got " +
           std::to_string(preamble.header_bytes));
  }
  if (preamble.payload_bytes == 0 || preamble.payload_bytes % kFileAlignment != 0) {
    refuse("its cells must have a positive multiple of " + std::to_string(kFileAlignment) +
           " bytes, got " + std::to_string(preamble.payload_bytes));
  }
  if (preamble.header_bytes > file_bytes ||
      preamble.payload_bytes != file_bytes - preamble.header_bytes) {
    refuse("it must have " + std::to_string(preamble.header_bytes) + " bytes of header and " +
           std::to_string(preamble.payload_bytes) + " bytes of cells, got " +
           std::to_string(file_bytes) + " in all");
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
  if (num_fields > kMaxFields)
    refuse("it must have at most " + std::to_string(kMaxFields) + " fields, got " +
           std::to_string(num_fields));
  for (std::uint32_t i = 0; i < num_fields; ++i) {
    const Field field = fields.next();
    if (std::find(names.begin(), names.end(), field.name) != names.end()) {
      refuse("field " + quoted(field.name) + " occurs twice");
    }
    names.push_back(field.name);
    read_field(field, header);
  }
  const std::string_view padding = fields.rest();
  if (padding.size() >= kFileAlignment) {
    refuse("its header must have at most " + std::to_string(kFileAlignment - 1) +
           " bytes after its fields, got " + std::to_string(padding.size()));
  }
  if (const std::size_t at = padding.find_first_not_of('\0'); at != std::string_view::npos) {
    refuse("its header must have only bytes of 0 after its fields, got " +
           std::to_string(static_cast<unsigned char>(padding[at])));
  }
  require_complete(header, names);
  return header;
}

}  // namespace bloometry
