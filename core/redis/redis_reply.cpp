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
  if (i >= size()) refuse("an array of more elements");
  return ReplyView(reply_->element[i], source_);
}

std::string_view ReplyView::error() const noexcept {
  if (!is_error()) return {};
  return {reply_->str, reply_->len};
}

void ReplyView::require_success() const {
  if (is_error()) refuse("");
}

void ReplyView::refuse(const char* expected) const {
  const std::string source = source_ == nullptr ? "" : *source_ + ": ";
  if (is_error()) throw RedisError(RedisFailure::kRefused, source + std::string(error()));
  throw RedisError(RedisFailure::kRefused,
                   source + "the reply must be " + expected + ", got another kind");
}

void RedisReply::Free::operator()(redisReply* reply) const noexcept {
  freeReplyObject(reply);
}

}  // namespace bloometry
