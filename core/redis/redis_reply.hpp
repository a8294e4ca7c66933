#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct redisReply;  // of hiredis

namespace bloometry {

/// A reply, or an element of one. What it is a view of outlives it.
class ReplyView {
 public:
  /// @param source what messages begin with: the server and the key; may be null
  explicit ReplyView(const redisReply* reply, const std::string* source = nullptr) noexcept
      : reply_(reply), source_(source) {}

  [[nodiscard]] bool is_nil() const noexcept;
  [[nodiscard]] bool is_error() const noexcept;
  [[nodiscard]] bool is_array() const noexcept;

  // What it is said to be. @throws RedisError with the server's text if it is an error, or if it is
  // something else.

  [[nodiscard]] std::int64_t integer() const;
  /// The bytes of a string, or of a status such as OK.
  [[nodiscard]] std::string_view text() const;
  /// Number of elements of an array.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] ReplyView operator[](std::size_t i) const;

  /// The text of an error; empty if it is none.
  [[nodiscard]] std::string_view error() const noexcept;

  /// @throws RedisError if it is an error.
  void require_success() const;

 private:
  [[noreturn]] void refuse(const char* expected) const;

  const redisReply* reply_;
  const std::string* source_;
};

/// A reply that owns its memory.
class RedisReply {
 public:
  /// Takes over a reply of hiredis.
  explicit RedisReply(redisReply* reply) noexcept : reply_(reply) {}

  /// The server and the key, which messages about this reply begin with.
  void set_source(const std::string& source) {
    source_ = std::make_unique<const std::string>(source);
  }

  [[nodiscard]] ReplyView view() const noexcept { return ReplyView(reply_.get(), source_.get()); }

 private:
  struct Free {
    void operator()(redisReply* reply) const noexcept;
  };

  std::unique_ptr<redisReply, Free> reply_;
  std::unique_ptr<const std::string> source_;  // a view keeps its place when this is moved
};

}  // namespace bloometry
