#pragma once

#include <zlib.h>
#include <zstd.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace bloometry::test {

/// Returns one member of gzip that contains the text.
inline std::string gzip_of(std::string_view text, int level = 6) {
  z_stream stream{};
  constexpr int kGzip = 16 + MAX_WBITS;
  if (deflateInit2(&stream, level, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("deflateInit2");
  }
  std::string all(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(all.data());
  stream.avail_out = static_cast<uInt>(all.size());
  const int result = deflate(&stream, Z_FINISH);
  all.resize(stream.total_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) throw std::runtime_error("deflate");
  return all;
}

/// Returns one frame of zstd that contains the text.
/// @param window_log logarithm of the window to base 2; 0 selects the default of the level
inline std::string zstd_of(std::string_view text, int window_log = 0, bool has_checksum = true) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, has_checksum ? 1 : 0);
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  if (window_log > 0) ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
  std::string all(ZSTD_compressBound(text.size()), '\0');
  // A streaming call does not reduce the window to the size of the text.
  ZSTD_inBuffer in{text.data(), text.size(), 0};
  ZSTD_outBuffer out{all.data(), all.size(), 0};
  ZSTD_compressStream2(context, &out, &in, ZSTD_e_flush);
  const std::size_t left = ZSTD_compressStream2(context, &out, &in, ZSTD_e_end);
  ZSTD_freeCCtx(context);
  if (left != 0) throw std::runtime_error("zstd");
  all.resize(out.pos);
  return all;
}

}  // namespace bloometry::test
