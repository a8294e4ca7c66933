#include "experiments/keys/compression.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/core.h>
#include <memory>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace bloometry {
namespace {

constexpr std::size_t kCompressedBytes = std::size_t{1} << 16U;  // read at once

/// Returns whether the bytes begin with the pattern, as far as they reach.
template <std::size_t kSize>
bool agrees(std::string_view bytes, const std::array<bool (*)(unsigned char), kSize>& pattern) {
  for (std::size_t i = 0; i < std::min(bytes.size(), kSize); ++i) {
    if (!pattern[i](static_cast<unsigned char>(bytes[i]))) return false;
  }
  return true;
}

/// Returns whether the bytes may begin a gzip member. RFC 1952, section 2.3: magic number, method
/// deflate, flags whose three high bits are 0, time, the speed of the compressor, and one of 14
/// operating systems or 255.
bool may_be_gzip(std::string_view start) {
  using Byte = unsigned char;
  constexpr auto kAny = [](Byte) { return true; };
  constexpr std::array<bool (*)(Byte), kGzipHeaderBytes> kPattern = {
      [](Byte b) { return b == 0x1f; },
      [](Byte b) { return b == 0x8b; },
      [](Byte b) { return b == 8; },
      [](Byte b) { return (b & 0xe0U) == 0; },
      kAny,
      kAny,
      kAny,
      kAny,
      [](Byte b) { return b == 0 || b == 2 || b == 4; },
      [](Byte b) { return b <= 13 || b == 255; }};
  return agrees(start, kPattern);
}

/// Returns whether the bytes may begin a zstd frame. RFC 8878, section 3.1: a frame with its
/// reserved bit 0, or a skippable frame.
bool may_be_zstd(std::string_view start) {
  using Byte = unsigned char;
  constexpr std::array<bool (*)(Byte), 5> kFrame = {
      [](Byte b) { return b == 0x28; }, [](Byte b) { return b == 0xb5; },
      [](Byte b) { return b == 0x2f; }, [](Byte b) { return b == 0xfd; },
      [](Byte b) { return (b & 8U) == 0; }};
  constexpr std::array<bool (*)(Byte), 4> kSkippable = {
      [](Byte b) { return (b & 0xf0U) == 0x50; }, [](Byte b) { return b == 0x2a; },
      [](Byte b) { return b == 0x4d; }, [](Byte b) { return b == 0x18; }};
  return agrees(start, kFrame) || agrees(start, kSkippable);
}

/// The input side of a decompressor: a stream, and a block of its bytes.
class CompressedInput {
 public:
  CompressedInput(Compression compression, ByteStream from, std::string name)
      : compression_(compression), from_(std::move(from)), name_(std::move(name)) {}

  /// Returns the next block of bytes. The block is empty at the end.
  std::string_view next() {
    const std::size_t size = from_.read(block_.data(), block_.size());
    num_bytes_ += size;
    return {block_.data(), size};
  }

  [[noreturn]] void refuse_cut() const {
    throw ConfigError(
        fmt::format("{} must be complete {} data, got the end of the data after {} bytes", name_,
                    name_of(compression_), num_bytes_));
  }

  [[noreturn]] void refuse_damage(const std::string& reason) const {
    throw ConfigError(
        fmt::format("{} must be undamaged {} data, got: {}", name_, name_of(compression_), reason));
  }

 private:
  Compression compression_;
  ByteStream from_;
  std::string name_;
  std::vector<char> block_ = std::vector<char>(kCompressedBytes);
  std::uint64_t num_bytes_ = 0;
};

class GzipReader {
 public:
  explicit GzipReader(CompressedInput input) : input_(std::move(input)) {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (::inflateInit2(&stream_, kGzipOnly) != Z_OK) {
      throw MemoryError("cannot allocate the memory for reading gzip data");
    }
  }

  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  ~GzipReader() { ::inflateEnd(&stream_); }

  std::size_t read(char* to, std::size_t size) {
    constexpr std::size_t kMost = std::size_t{1} << 30U;  // zlib counts in unsigned int
    const auto room = static_cast<unsigned>(std::min(size, kMost));
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = room;
    while (stream_.avail_out == room) {
      if (stream_.avail_in == 0 && !refill()) {
        if (!is_between_members_) input_.refuse_cut();
        return 0;
      }
      inflate_some();
    }
    return room - stream_.avail_out;
  }

 private:
  bool refill() {
    const std::string_view block = input_.next();
    // zlib does not change its input.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(block.data()));
    stream_.avail_in = static_cast<unsigned>(block.size());
    return !block.empty();
  }

  void inflate_some() {
    is_between_members_ = false;
    const int result = ::inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_STREAM_END) {
      is_between_members_ = true;
      is_first_member_ = false;
      ::inflateReset(&stream_);
    } else if (result == Z_MEM_ERROR) {
      throw MemoryError("cannot allocate the memory for reading gzip data");
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      const std::string reason = stream_.msg != nullptr ? stream_.msg : "a preset dictionary";
      input_.refuse_damage(reason + (is_first_member_ ? "" : " after a complete gzip member"));
    }
  }

  CompressedInput input_;
  ::z_stream stream_{};
  bool is_first_member_ = true;
  bool is_between_members_ = false;
};

class ZstdReader {
 public:
  explicit ZstdReader(CompressedInput input)
      : input_(std::move(input)), context_(::ZSTD_createDCtx(), ::ZSTD_freeDCtx) {
    constexpr int kMaxWindowLog = 27;  // 128 MiB, as in the program zstd
    if (!context_) throw MemoryError("cannot allocate the memory for reading zstd data");
    ::ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kMaxWindowLog);
  }

  std::size_t read(char* to, std::size_t size) {
    for (;;) {
      // zstd keeps the last byte of a block until it has returned the whole text of the block.
      if (block_.pos == block_.size && !refill()) {
        if (num_expected_ != 0) input_.refuse_cut();
        return 0;
      }
      ::ZSTD_outBuffer out{to, size, 0};
      num_expected_ = ::ZSTD_decompressStream(context_.get(), &out, &block_);
      if (::ZSTD_isError(num_expected_) != 0) refuse();
      if (out.pos > 0) return out.pos;
    }
  }

 private:
  bool refill() {
    const std::string_view block = input_.next();
    block_ = {block.data(), block.size(), 0};
    return !block.empty();
  }

  [[noreturn]] void refuse() const {
    const std::string reason = ::ZSTD_getErrorName(num_expected_);
    const bool is_too_large = reason.find("memory") != std::string::npos;
    input_.refuse_damage(reason + (is_too_large ? " (a window above 128 MiB)" : ""));
  }

  CompressedInput input_;
  std::unique_ptr<::ZSTD_DCtx, std::size_t (*)(::ZSTD_DCtx*)> context_;
  ::ZSTD_inBuffer block_{nullptr, 0, 0};
  std::size_t num_expected_ = 0;  // the result of zstd; 0 between frames
};

template <class Reader>
ByteStream stream_of(CompressedInput input) {
  // A std::function is copyable, and the readers are not.
  const auto reader = std::make_shared<Reader>(std::move(input));
  return ByteStream([reader](char* to, std::size_t size) { return reader->read(to, size); });
}

}  // namespace

std::string_view name_of(Compression compression) noexcept {
  return compression == Compression::kGzip ? "gzip" : "zstd";
}

Compression compression_of(std::string_view start) noexcept {
  constexpr std::size_t kGzipMagic = 2;
  constexpr std::size_t kZstdMagic = 4;
  if (start.size() >= kGzipMagic && may_be_gzip(start)) return Compression::kGzip;
  if (start.size() >= kZstdMagic && may_be_zstd(start)) return Compression::kZstd;
  return Compression::kNone;
}

bool may_be_compressed(std::string_view start) noexcept {
  return may_be_gzip(start) || may_be_zstd(start);
}

ByteStream decompressed(Compression compression, ByteStream from, std::string name) {
  CompressedInput input(compression, std::move(from), std::move(name));
  return compression == Compression::kGzip ? stream_of<GzipReader>(std::move(input))
                                           : stream_of<ZstdReader>(std::move(input));
}

}  // namespace bloometry
