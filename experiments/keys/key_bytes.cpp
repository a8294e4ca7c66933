#include "experiments/keys/key_bytes.hpp"

#include <fmt/core.h>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "experiments/keys/binary_data.hpp"
#include "experiments/keys/compression.hpp"
#include "experiments/keys/text_decoder.hpp"

namespace bloometry {
namespace {

using Note = std::function<void(const std::string&)>;

/// Replaces the bytes by the decompressed bytes if they are compressed, and returns the
/// compression.
Compression decompress(RawKeys& raw, bool is_text) {
  const std::string_view start = raw.bytes.peek([](std::string_view bytes) {
    return bytes.size() >= kGzipHeaderBytes || !may_be_compressed(bytes);
  });
  // The bytes of one integer may be the beginning of a header. Text cannot be.
  const bool is_certain = is_text || start.size() >= kGzipHeaderBytes;
  const Compression compression = is_certain ? compression_of(start) : Compression::kNone;
  if (compression != Compression::kNone) {
    raw.bytes = decompressed(compression, std::move(raw.bytes), raw.name);
  }
  return compression;
}

/// Returns at most kEncodingWindow first bytes, however many are read at once. A pipe may be silent
/// after its first line, so one line is enough.
std::string_view first_bytes(RawKeys& raw) {
  const std::string_view start = raw.bytes.peek([&](std::string_view bytes) {
    return bytes.size() >= kEncodingWindow ||
           (raw.is_pipe && bytes.find('\n') != std::string_view::npos);
  });
  return start.substr(0, kEncodingWindow);
}

/// Returns what the bytes are if they are not text, or an empty text.
/// @param outer the compression that was removed
std::string name_of_binary_data(std::string_view start, Compression outer) {
  const Compression inner = compression_of(start);
  if (inner == Compression::kNone) return why_not_text(start);
  return fmt::format("{} data inside {} data, of which only the outer compression is removed",
                     name_of(inner), name_of(outer));
}

void warn_of_binary_data(const RawKeys& raw, std::string_view start, Compression outer,
                         const Note& note) {
  const std::string reason = name_of_binary_data(start, outer);
  if (reason.empty()) return;
  note(
      fmt::format("warning: {} must be text, got {}; its bytes are used as keys without changes "
                  "(--text-encoding selects an encoding)",
                  raw.name, reason));
}

/// Returns the encoding of the text: the given one, or the one that its first bytes have.
TextEncoding encoding_of(const RawKeys& raw, std::string_view start, TextEncoding given) {
  const FoundEncoding found = find_encoding(start);
  if (given == TextEncoding::kAuto) return found.encoding;
  if (found.has_mark && !start.starts_with(byte_order_mark(given))) {
    throw ConfigError(
        fmt::format("{} must be in {}, the given encoding, got the byte order mark of {}", raw.name,
                    name_of(given), name_of(found.encoding)));
  }
  return given;
}

/// Passes a note about each change that an option does not request.
void note_changes(const RawKeys& raw, TextEncoding encoding, TextEncoding given, bool has_mark,
                  const Note& note) {
  const std::string name(name_of(encoding));
  const bool is_converted = unit_bytes(encoding) > 1;
  if (has_mark) {
    note(fmt::format("{}: removed the byte order mark of {}{}", raw.name, name,
                     is_converted ? " and converted the text to utf-8" : ""));
  } else if (is_converted && given == TextEncoding::kAuto) {
    note(
        fmt::format("{}: recognised {} by its zero bytes and converted the text to utf-8; with "
                    "--text-encoding bytes, the bytes are not changed",
                    raw.name, name));
  }
}

}  // namespace

ByteStream key_bytes(RawKeys raw, const KeyFormat& format, TextEncoding given, const Note& note) {
  const Compression outer = decompress(raw, !format.is_binary());
  if (format.is_binary() || given == TextEncoding::kBytes) return std::move(raw.bytes);
  const std::string_view start = first_bytes(raw);
  const TextEncoding encoding = encoding_of(raw, start, given);
  const std::string_view mark = byte_order_mark(encoding);
  const bool has_mark = !mark.empty() && start.starts_with(mark);
  note_changes(raw, encoding, given, has_mark, note);
  if (has_mark) raw.bytes.skip(mark.size());
  const bool is_checked = encoding == TextEncoding::kUtf8 && given == TextEncoding::kUtf8;
  if (is_checked || unit_bytes(encoding) > 1) {
    return decoded_text(encoding, std::move(raw.bytes), std::move(raw.name));
  }
  const bool has_raw_keys =
      format.kind == KeyFormat::Kind::kLines || format.kind == KeyFormat::Kind::kCsv;
  if (has_raw_keys) {
    warn_of_binary_data(raw, start.substr(has_mark ? mark.size() : 0), outer, note);
  }
  return std::move(raw.bytes);
}

}  // namespace bloometry
