#include "core/redis/redis_reply.hpp"

#include <hiredis/hiredis.h>

#include "core/redis/redis_error.hpp"

namespace bloometry {

bool ReplyView::is_nil() const noexcept {
  return reply_->type == REDIS_REPLY_NIL;
}

bool ReplyView::is_error() const noexcept {
  return reply_->type == REDIS_REPLY_ERROR;
}

bool ReplyView::is_array() const noexcept {
  return reply_->type == REDIS_REPLY_ARRAY;
}

std::int64_t ReplyView::integer() const {
  if (reply_->type != REDIS_REPLY_INTEGER) refuse("an integer");
  return reply_->integer;
}

std::string_view ReplyView::text() const {
  if (reply_->type != REDIS_REPLY_STRING && reply_->type != REDIS_REPLY_STATUS) refuse("a string");
  return {reply_->str, reply_->len};
}

std::size_t ReplyView::size() const {
  if (!is_array()) refuse("an array");
  return reply_->elements;
}

ReplyView ReplyView::operator[](std::size_t i) const {
  if (i >= size()) {
    fail("must have at least " + std::to_string(i + 1) + " elements, got " +
         std::to_string(size()));
  }
  return ReplyView(reply_->element[i], source_);
}

std::string_view ReplyView::error() const noexcept {
  if (!is_error()) return {};
  return {reply_->str, reply_->len};
}

std::string_view ReplyView::kind() const noexcept {
  switch (reply_->type) {
    case REDIS_REPLY_STRING:
      return "a string";
    case REDIS_REPLY_STATUS:
      return "a status";
    case REDIS_REPLY_INTEGER:
      return "an integer";
    case REDIS_REPLY_ARRAY:
      return "an array";
    case REDIS_REPLY_NIL:
      return "nil";
    case REDIS_REPLY_ERROR:
      return "an error";
    default:
      return "an unknown kind";
  }
}

void ReplyView::require_success() const {
  if (is_error()) throw RedisError(RedisFailure::kRefused, source() + std::string(error()));
}

std::string ReplyView::source() const {
  return source_ == nullptr ? "" : *source_ + ": ";
}

void ReplyView::refuse(const char* expected) const {
  require_success();
  fail("must be " + std::string(expected) + ", got " + std::string(kind()));
}

void ReplyView::fail(const std::string& what) const {
  throw RedisError(RedisFailure::kRefused, source() + "the reply " + what);
}

void RedisReply::Free::operator()(redisReply* reply) const noexcept {
  freeReplyObject(reply);
}

}  // namespace bloometry
