#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "experiments/keys/key_bytes.hpp"
#include "experiments/keys/text_decoder.hpp"
#include "experiments/text/printable.hpp"
#include "experiments/text/utf8.hpp"
#include "tests/experiments/keys/encoded_text.hpp"
#include "tests/fuzz/checks.hpp"
#include "tests/fuzz/targets.hpp"

namespace bloometry::fuzz {
namespace {

/// Number of bytes after which a target stops reading, because 4 KiB of zstd may contain 100 MiB.
constexpr std::size_t kMostText = std::size_t{1} << 20U;

struct KeyText {
  std::string bytes{};
  std::vector<std::string> notes{};
};

std::string text_of(ByteStream stream) {
  std::string text;
  std::array<char, 5000> block{};
  while (const std::size_t num_read = stream.read(block.data(), block.size())) {
    text.append(block.data(), num_read);
    if (text.size() >= kMostText) break;
  }
  return text;
}

/// Returns a stream of the bytes that returns at most `piece` bytes at once.
ByteStream in_pieces(std::string_view bytes, std::size_t piece) {
  return ByteStream([rest = bytes, piece](char* to, std::size_t size) mutable {
    const std::size_t num_read = rest.copy(to, std::min(size, piece));
    rest.remove_prefix(num_read);
    return num_read;
  });
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = first_utf8_character(text).length;
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

/// Returns the text of the keys in a file, or nullopt if it is refused.
std::optional<KeyText> keys_of(std::string_view file, const KeyFormat& format,
                               TextEncoding encoding, std::size_t piece) {
  // compression.hpp states 130 MiB. The text is copied while it grows.
  constexpr std::uint64_t kMostBytes = (std::uint64_t{130} << 20U) + 4 * kMostText;
  return accepted(file, kMostBytes, [&] {
    KeyText keys;
    const auto note = [&](const std::string& text) { keys.notes.push_back(text); };
    keys.bytes = text_of(
        key_bytes({.bytes = in_pieces(file, piece), .name = "keys"}, format, encoding, note));
    return keys;
  });
}

/// Returns the characters of a text in UTF-8.
std::u32string characters_of(std::string_view text) {
  std::u32string characters;
  while (!text.empty()) {
    const Utf8Character first = first_utf8_character(text);
    require(first.length > 0, "key_text: the result is well-formed UTF-8");
    characters.push_back(first.code);
    text.remove_prefix(first.length);
  }
  return characters;
}

}  // namespace

bool run_keys(std::string_view input) {
  // The input starts with arguments: the format (1 byte) and the encoding (1 byte).
  constexpr std::array kFormats = {KeyFormat::Kind::kLines, KeyFormat::Kind::kCsv,
                                   KeyFormat::Kind::kHex, KeyFormat::Kind::kU64le};
  constexpr std::array kEncodings = {
      TextEncoding::kAuto,    TextEncoding::kBytes,   TextEncoding::kUtf8,   TextEncoding::kUtf16le,
      TextEncoding::kUtf16be, TextEncoding::kUtf32le, TextEncoding::kUtf32be};
  if (input.size() < 2) return false;
  const KeyFormat format{.kind = kFormats[static_cast<unsigned char>(input[0]) % kFormats.size()],
                         .column = 1};
  const TextEncoding encoding =
      kEncodings[static_cast<unsigned char>(input[1]) % kEncodings.size()];
  const std::string_view file = input.substr(2);
  const auto keys = keys_of(file, format, encoding, file.size());
  // zstd decodes a frame that it gets as a whole by another function, with other checks.
  const auto again = keys_of(file, format, encoding, 1);
  if (keys && again) {
    require(keys->notes == again->notes, "keys: the notes do not depend on the sizes of the reads");
    require(keys->bytes.substr(0, kMostText) == again->bytes.substr(0, kMostText),
            "keys: the text does not depend on the sizes of the reads");
  }
  if (!keys) return false;
  for (const std::string& note : keys->notes) {
    require(!note.empty() && printable(note, note.size()) == note, "keys: a note is printable");
  }
  const bool is_decoded = encoding != TextEncoding::kAuto && encoding != TextEncoding::kBytes;
  if (is_decoded && !format.is_binary() && keys->bytes.size() < kMostText) {
    require(is_utf8(keys->bytes), "keys: text of a given encoding becomes UTF-8");
  }
  return true;
}

bool run_key_text(std::string_view input) {
  // The input starts with the encoding (1 byte).
  constexpr std::array kEncodings = {TextEncoding::kUtf8, TextEncoding::kUtf16le,
                                     TextEncoding::kUtf16be, TextEncoding::kUtf32le,
                                     TextEncoding::kUtf32be};
  if (input.empty()) return false;
  const TextEncoding encoding =
      kEncodings[static_cast<unsigned char>(input[0]) % kEncodings.size()];
  const std::string_view text = input.substr(1);
  // The decoder reads blocks of 64 KiB, and its strings may be copied while they grow.
  constexpr std::uint64_t kBlockBytes = std::uint64_t{4} << 16U;
  const auto decoded = accepted(text, 8 * text.size() + kBlockBytes, [&] {
    return text_of(decoded_text(encoding, in_pieces(text, 1 + text.size() / 3), "keys"));
  });
  if (!decoded) return false;
  const std::u32string characters = characters_of(*decoded);
  require(encoding == TextEncoding::kUtf8 ? *decoded == text
                                          : test::encoded(encoding, characters) == text,
          "key_text: what is accepted is encoded again");
  return true;
}

}  // namespace bloometry::fuzz
