#include "experiments/keys/compression.hpp"

#include <array>
#include <random>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/compressed.hpp"
#include "tests/support/message_of.hpp"

namespace bloometry {
namespace {

/// Returns a stream that returns at most `most` bytes per call.
ByteStream in_pieces(const std::string& bytes, std::size_t most) {
  return ByteStream([rest = std::string_view(bytes), most](char* to, std::size_t size) mutable {
    const std::size_t num_read = rest.copy(to, std::min(size, most));
    rest.remove_prefix(num_read);
    return num_read;
  });
}

/// Reads the stream with buffers of `size` bytes.
std::string all_of(ByteStream stream, std::size_t size) {
  std::string all;
  std::vector<char> block(size);
  while (const std::size_t num_read = stream.read(block.data(), block.size())) {
    all.append(block.data(), num_read);
  }
  return all;
}

std::string unpacked(const std::string& bytes, std::size_t most = 1U << 20U,
                     std::size_t size = 1U << 16U) {
  return all_of(decompressed(compression_of(bytes), in_pieces(bytes, most), "data"), size);
}

std::string error_of_unpacking(const std::string& bytes) {
  return test::message_of<ConfigError>([&] { unpacked(bytes); });
}

std::string numbers(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += std::to_string(i * 7919) + "\n";
  return text;
}

using Packer = std::string (*)(std::string_view);
constexpr std::array<Packer, 2> kPackers = {
    [](std::string_view text) { return test::gzip_of(text); },
    [](std::string_view text) { return test::zstd_of(text); }};

}  // namespace

TEST_CASE("compression: data are recognised by a complete magic number", "[keys]") {
  const std::string gzip = test::gzip_of("text");
  const std::string zstd = test::zstd_of("text");
  CHECK(compression_of(gzip) == Compression::kGzip);
  CHECK(compression_of(zstd) == Compression::kZstd);
  CHECK(compression_of(gzip.substr(0, 2)) == Compression::kGzip);
  CHECK(compression_of(zstd.substr(0, 4)) == Compression::kZstd);
  CHECK(compression_of("\x50\x2a\x4d\x18") == Compression::kZstd);  // a skippable frame
  for (const std::string& start : {std::string(), gzip.substr(0, 1), zstd.substr(0, 3)}) {
    CHECK(compression_of(start) == Compression::kNone);
    CHECK(may_be_compressed(start));
  }
  // The integer 559,903 in 8 bytes, and the integer that follows it.
  CHECK(compression_of(std::string("\x1f\x8b\x08\0\0\0\0\0\x20\x8b\x08\0\0\0\0\0", 16)) ==
        Compression::kNone);
  for (const char* text : {"a", "\x1f\x8c", "(\xb5x", "P*\n"}) {
    CHECK_FALSE(may_be_compressed(text));
  }
}

TEST_CASE("compression: all members and frames are read, in pieces of any size", "[keys]") {
  const std::string text = numbers(40'000);
  for (const Packer pack : kPackers) {
    CHECK(unpacked(pack("")).empty());
    CHECK(unpacked(pack("one") + pack("") + pack("two")) == "onetwo");
    const std::string packed = pack(text) + pack(text);
    CHECK(unpacked(packed) == text + text);
    for (const std::size_t most : {1U, 7U, 65'537U}) {
      CAPTURE(most);
      CHECK(unpacked(packed, most, 1000) == text + text);
      CHECK(unpacked(packed, 1000, most) == text + text);
    }
  }
}

TEST_CASE("compression: the last block of a frame without checksum fills several buffers",
          "[keys]") {
  const std::string zeros(300'000, '\0');
  for (const std::size_t size : {1000U, 4096U, 100'000U}) {
    CHECK(unpacked(test::zstd_of(zeros, 0, false), 1U << 20U, size) == zeros);
    CHECK(unpacked(test::gzip_of(zeros), 1U << 20U, size) == zeros);
  }
}

TEST_CASE("compression: truncated data are an error at every length", "[keys]") {
  const std::string text = numbers(200);
  for (const Packer pack : kPackers) {
    const std::string packed = pack("first\n") + pack(text);
    const std::size_t first = pack("first\n").size();
    for (std::size_t size = 4; size < packed.size(); ++size) {
      CAPTURE(size);
      const std::string error = error_of_unpacking(packed.substr(0, size));
      if (size == first) {
        CHECK(error == "nothing thrown");
      } else {
        CHECK(test::contains_text(error, "data must be complete "));
      }
    }
  }
}

TEST_CASE("compression: bytes after the last member are an error", "[keys]") {
  for (const Packer pack : kPackers) {
    for (const std::string& tail :
         {std::string("garbage"), std::string("\0", 1), pack("x") + "\n", std::string(600, '\0')}) {
      CAPTURE(tail);
      CHECK(error_of_unpacking(pack("keys\n") + tail) != "nothing thrown");
    }
  }
  CHECK(test::contains_text(error_of_unpacking(test::gzip_of("a") + "garbage"),
                            "data must be undamaged gzip data, got: incorrect header check after a "
                            "complete gzip member"));
}

TEST_CASE("compression: a changed byte is an error, or the text is the same", "[keys]") {
  const std::string text = numbers(3000);
  std::mt19937_64 random(35);
  for (const Packer pack : kPackers) {
    const std::string packed = pack(text);
    int num_errors = 0;
    int num_other_texts = 0;
    for (int i = 0; i < 3000; ++i) {
      std::string damaged = packed;
      damaged[random() % packed.size()] ^= static_cast<char>(1 + random() % 255);
      if (compression_of(damaged) == Compression::kNone) continue;
      try {
        // A byte of the header may not have a meaning.
        num_other_texts += unpacked(damaged) == text ? 0 : 1;
      } catch (const ConfigError&) {
        ++num_errors;
      }
    }
    CHECK(num_errors > 2900);
    CHECK(num_other_texts == 0);
  }
}

TEST_CASE("compression: a window above 128 MiB is refused", "[keys]") {
  CHECK(unpacked(test::zstd_of("text", 27)) == "text");
  CHECK(test::contains_text(error_of_unpacking(test::zstd_of("text", 28)),
                            "(a window above 128 MiB)"));
}

}  // namespace bloometry
