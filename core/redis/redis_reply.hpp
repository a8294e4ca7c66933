#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct redisReply;  // of hiredis

namespace bloometry {

/// View of a reply, or of an element of a reply. The reply must outlive the view.
class ReplyView {
 public:
  /// Makes the view.
  /// @param source beginning of the error messages, with the server and the key; may be null
  explicit ReplyView(const redisReply* reply, const std::string* source = nullptr) noexcept
      : reply_(reply), source_(source) {}

  [[nodiscard]] bool is_nil() const noexcept;
  [[nodiscard]] bool is_error() const noexcept;
  [[nodiscard]] bool is_array() const noexcept;

  /// Returns the kind of the reply for error messages, such as "a string".
  [[nodiscard]] std::string_view kind() const noexcept;

  // The functions `integer`, `text`, `size` and `operator[]` return the reply as the requested
  // type.
  // @throws RedisError if the reply is an error or has another type. If the reply is an error, the
  // message of the exception contains the server's message.

  [[nodiscard]] std::int64_t integer() const;
  /// Returns the bytes of a string, or of a status such as OK.
  [[nodiscard]] std::string_view text() const;
  /// Returns the number of elements of an array.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] ReplyView operator[](std::size_t i) const;

  /// Returns the message of an error reply, or an empty string if the reply is not an error.
  [[nodiscard]] std::string_view error() const noexcept;

  /// Checks that the reply is not an error.
  /// @throws RedisError if the reply is an error.
  void require_success() const;

 private:
  [[nodiscard]] std::string source() const;
  [[noreturn]] void refuse(const char* expected) const;
  [[noreturn]] void fail(const std::string& what) const;

  const redisReply* reply_;
  const std::string* source_;
};

/// A reply that owns its memory.
class RedisReply {
 public:
  /// Wraps a reply of hiredis and becomes its owner.
  explicit RedisReply(redisReply* reply) noexcept : reply_(reply) {}

  /// Sets the beginning of the error messages about the reply: the server and the key.
  void set_source(const std::string& source) {
    source_ = std::make_unique<const std::string>(source);
  }

  [[nodiscard]] ReplyView view() const noexcept { return ReplyView(reply_.get(), source_.get()); }

 private:
  struct Free {
    void operator()(redisReply* reply) const noexcept;
  };

  std::unique_ptr<redisReply, Free> reply_;
  std::unique_ptr<const std::string>
      source_;  // on the heap, so that a move does not invalidate views
};

}  // namespace bloometry
