#include "experiments/keys/text_decoder.hpp"

#include <cstdint>
#include <fmt/core.h>
#include <memory>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/text/utf8.hpp"

namespace bloometry {
namespace {

constexpr std::size_t kEncodedBytes = std::size_t{1} << 16U;  // read at once

/// Decodes a text block by block.
class TextDecoder {
 public:
  TextDecoder(TextEncoding encoding, ByteStream from, std::string name)
      : encoding_(encoding), from_(std::move(from)), name_(std::move(name)) {}

  std::size_t read(char* to, std::size_t size) {
    while (at_ == decoded_.size()) {
      if (is_at_end_) return 0;
      decode_block();
    }
    const std::size_t num_read = decoded_.copy(to, size, at_);
    at_ += num_read;
    return num_read;
  }

 private:
  /// Decodes the whole characters of the next block, and keeps the bytes of an incomplete
  /// character.
  void decode_block() {
    const std::size_t num_kept = encoded_.size();
    encoded_.resize(num_kept + kEncodedBytes);
    const std::size_t num_read = from_.read(encoded_.data() + num_kept, kEncodedBytes);
    encoded_.resize(num_kept + num_read);
    is_at_end_ = num_read == 0;
    decoded_.clear();
    at_ = 0;
    std::string_view rest = encoded_;
    while (!rest.empty()) {
      const std::size_t length =
          encoding_ == TextEncoding::kUtf8 ? take_utf8(rest) : take_units(rest);
      if (length == 0) break;
      if (decoded_.back() == '\n') ++line_;
      rest.remove_prefix(length);
    }
    if (is_at_end_ && !rest.empty()) refuse_cut(rest.size());
    encoded_.assign(rest);
  }

  /// Decodes the first character. Returns its length in bytes, or 0 if it is incomplete.
  std::size_t take_utf8(std::string_view text) {
    constexpr std::size_t kLongest = 4;
    const Utf8Character first = first_utf8_character(text);
    if (first.length == 0) {
      if (text.size() < kLongest && may_be_cut(text)) return 0;
      refuse(fmt::format("the byte 0x{:02x}", static_cast<unsigned char>(text.front())));
    }
    decoded_ += text.substr(0, first.length);
    return first.length;
  }

  /// Returns whether further bytes could make the first bytes of a character well-formed.
  static bool may_be_cut(std::string_view text) {
    for (const char last : {'\x80', '\x90', '\xbf'}) {
      // The second byte of a character is in a range that contains one of these, or is present.
      std::string longer(text);
      while (longer.size() < 4) {
        longer.push_back(longer.size() == 1 ? last : '\x80');
        if (first_utf8_character(longer).length != 0) return true;
      }
    }
    return false;
  }

  std::size_t take_units(std::string_view text) {
    const std::size_t width = unit_bytes(encoding_);
    if (text.size() < width) return 0;
    const std::uint32_t first = code_unit(encoding_, text.data());
    if (width == 4 || first < 0xd800 || first > 0xdfff) {
      if (!is_unicode_scalar(first)) refuse(fmt::format("the code unit 0x{:08x}", first));
      append_utf8(decoded_, first);
      return width;
    }
    if (first > 0xdbff) refuse_surrogate(first);
    if (text.size() < 2 * width) return 0;
    const std::uint32_t second = code_unit(encoding_, text.data() + width);
    if (second < 0xdc00 || second > 0xdfff) refuse_surrogate(first);
    append_utf8(decoded_, 0x10000 + ((first - 0xd800) << 10U) + (second - 0xdc00));
    return 2 * width;
  }

  [[noreturn]] void refuse_surrogate(std::uint32_t unit) const {
    refuse(fmt::format("the unpaired surrogate 0x{:04x}", unit));
  }

  [[noreturn]] void refuse_cut(std::size_t num_bytes) const {
    refuse(fmt::format("the end of the text after {} of a character", plural(num_bytes, "byte")));
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw ConfigError(fmt::format("{}: line {} must be well-formed {}, got {}", name_, line_,
                                  name_of(encoding_), what));
  }

  TextEncoding encoding_;
  ByteStream from_;
  std::string name_;
  std::string encoded_;  // bytes that are not decoded yet
  std::string decoded_;  // bytes before at_ have been returned
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
  bool is_at_end_ = false;
};

}  // namespace

ByteStream decoded_text(TextEncoding encoding, ByteStream from, std::string name) {
  const auto decoder = std::make_shared<TextDecoder>(encoding, std::move(from), std::move(name));
  return ByteStream([decoder](char* to, std::size_t size) { return decoder->read(to, size); });
}

}  // namespace bloometry
