#include "core/redis/redis_connection.hpp"

#include <fcntl.h>
#include <hiredis/hiredis.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "core/redis/redis_error.hpp"

namespace bloometry {
namespace {

timeval timeval_of(std::chrono::milliseconds duration) {
  const auto ms = duration.count();
  return {static_cast<time_t>(ms / 1000), static_cast<suseconds_t>(ms % 1000 * 1000)};
}

/// Returns the message of an error reply to AUTH or SELECT. If the message contains the password,
/// the function returns another message. A server that does not support AUTH repeats the first 128
/// bytes of each argument in the error reply.
std::string without_password(std::string_view error, const RedisUrl& url) {
  const std::string text(error.substr(0, error.find(", with args")));
  const bool is_shown = url.password && !url.password->empty() &&
                        text.find(url.password->substr(0, 128)) != std::string::npos;
  return is_shown ? "AUTH or SELECT was refused" : text;
}

// A reply begins with the number of its elements, and hiredis immediately allocates a pointer for
// each element. A reply of 18 bytes could therefore cause an allocation of 16 GB. A reply to the
// commands of this library has at most as many elements as the commands have bytes. The only
// exception is the reply with a Redis hash, which may have any number of fields.
constexpr std::size_t kMaxElements = 65536;
constexpr std::size_t kMaxReplyBytes = std::size_t{64} << 20U;

/// Functions of hiredis that create replies. The first connection sets original_functions.
redisReplyObjectFunctions original_functions;

/// Limit of an array, to which the reader's privdata points.
struct ArrayLimit {
  std::size_t max_elements;
  std::size_t num_refused = 0;  ///< number of elements of an array above the limit
};

/// Creates an array, or returns nullptr if num_elements exceeds the limit. The type of num_elements
/// depends on the version of hiredis.
template <class Count>
void* create_bounded_array(const redisReadTask* task, Count num_elements) {
  auto& limit = *static_cast<ArrayLimit*>(task->privdata);
  const auto size = static_cast<std::size_t>(num_elements);
  if (size <= limit.max_elements) return original_functions.createArray(task, num_elements);
  limit.num_refused = size;
  return nullptr;
}

redisReplyObjectFunctions bounded(const redisReplyObjectFunctions& functions) {
  original_functions = functions;
  redisReplyObjectFunctions result = functions;
  result.createArray = create_bounded_array;
  return result;
}

}  // namespace

void RedisConnection::Close::operator()(redisContext* context) const noexcept {
  redisFree(context);
}

RedisConnection::RedisConnection(const RedisUrl& url, const RedisTimeouts& timeouts)
    : timeouts_(timeouts), name_(url.name()) {
  connect(url);
  authenticate(url);
}

void RedisConnection::connect(const RedisUrl& url) {
  const timeval timeout = timeval_of(timeouts_.connect);
  context_.reset(url.socket.empty() ? redisConnectWithTimeout(url.host.c_str(), url.port, timeout)
                                    : redisConnectUnixWithTimeout(url.socket.c_str(), timeout));
  if (context_ == nullptr) throw std::bad_alloc();
  if (context_->err != 0) fail(context_->errstr);
  // After the connection is made, only wait_for blocks. The function wait_for has one deadline for
  // a whole exchange, whereas a socket timeout would restart with every byte.
  const int flags = ::fcntl(context_->fd, F_GETFL);
  if (flags < 0 || ::fcntl(context_->fd, F_SETFL, flags | O_NONBLOCK) != 0 ||
      ::fcntl(context_->fd, F_SETFD, FD_CLOEXEC) != 0) {
    fail(std::strerror(errno));
  }
  context_->flags &= ~REDIS_BLOCK;
  static redisReplyObjectFunctions functions = bounded(*context_->reader->fn);
  context_->reader->fn = &functions;
}

void RedisConnection::authenticate(const RedisUrl& url) {
  RedisCommands commands;
  if (url.password && url.user.empty()) commands.add("AUTH", *url.password);
  if (url.password && !url.user.empty()) commands.add("AUTH", url.user, *url.password);
  if (url.database != 0) commands.add("SELECT", url.database);
  if (commands.size() == 0) return;
  for (const RedisReply& reply : exchange(commands)) {
    const ReplyView view = reply.view();
    if (view.is_error()) {
      throw RedisError(RedisFailure::kRefused, name_ + ": " + without_password(view.error(), url));
    }
  }
}

std::vector<RedisReply> RedisConnection::exchange(const RedisCommands& commands) {
  const auto deadline = Clock::now() + timeouts_.command;
  std::string_view rest = commands.wire();
  ArrayLimit limit{.max_elements = std::max(kMaxElements, rest.size())};
  context_->reader->privdata = &limit;
  const std::size_t max_bytes = kMaxReplyBytes + 4 * rest.size();
  std::size_t num_bytes = 0;
  std::vector<RedisReply> replies;
  replies.reserve(commands.size());
  require_silence();
  // The loop reads replies while it is still sending commands. Otherwise both buffers could become
  // full, and the client and the server would wait for each other.
  while (replies.size() < commands.size()) {
    wait_for(static_cast<short>(rest.empty() ? POLLIN : POLLIN | POLLOUT), deadline);
    if (!rest.empty()) rest.remove_prefix(send_some(rest));
    num_bytes += receive_some();
    take_replies(replies, commands.size());
    if (num_bytes > max_bytes) {
      fail("the replies must have at most " + std::to_string(max_bytes) + " bytes, got more");
    }
  }
  if (context_->reader->pos != context_->reader->len) {
    fail("the number of replies must be " + std::to_string(commands.size()) + ", got more");
  }
  return replies;
}

void RedisConnection::require_silence() const {
  // The client would interpret bytes that arrived before the commands as replies to the commands.
  pollfd poll_fd{.fd = context_->fd, .events = POLLIN, .revents = 0};
  if (::poll(&poll_fd, 1, 0) <= 0) return;
  char byte = 0;
  const ::ssize_t num_bytes = ::recv(context_->fd, &byte, 1, MSG_PEEK);
  if (num_bytes > 0) fail("a reply arrived before its command");
  fail(num_bytes == 0 ? "the connection was closed" : std::strerror(errno));
}

void RedisConnection::wait_for(short events, Clock::time_point deadline) {
  using std::chrono::milliseconds;
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) {
      fail("the server did not reply within " + std::to_string(timeouts_.command.count()) + " ms");
    }
    pollfd poll_fd{.fd = context_->fd, .events = events, .revents = 0};
    const int num_ready = ::poll(&poll_fd, 1, static_cast<int>(std::min<long long>(left, 60000)));
    if (num_ready > 0) return;
    if (num_ready < 0 && errno != EINTR) fail(std::strerror(errno));
  }
}

std::size_t RedisConnection::send_some(std::string_view wire) {
  const ::ssize_t num_sent = ::send(context_->fd, wire.data(), wire.size(), MSG_NOSIGNAL);
  if (num_sent >= 0) return static_cast<std::size_t>(num_sent);
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return 0;
  fail(std::strerror(errno));
}

std::size_t RedisConnection::receive_some() {
  const std::size_t num_before = context_->reader->len;
  if (redisBufferRead(context_.get()) != REDIS_OK) fail(context_->errstr);
  return context_->reader->len - num_before;
}

void RedisConnection::take_replies(std::vector<RedisReply>& replies, std::size_t num_expected) {
  while (replies.size() < num_expected) {
    void* reply = nullptr;
    if (redisReaderGetReply(context_->reader, &reply) != REDIS_OK) {
      const auto& limit = *static_cast<const ArrayLimit*>(context_->reader->privdata);
      if (limit.num_refused > 0) {
        fail("a reply must have at most " + std::to_string(limit.max_elements) + " elements, got " +
             std::to_string(limit.num_refused));
      }
      const bool is_too_large = context_->reader->err == REDIS_ERR_OOM;
      fail(is_too_large ? "the memory for a reply cannot be allocated" : context_->reader->errstr);
    }
    if (reply == nullptr) return;
    replies.emplace_back(static_cast<redisReply*>(reply));
  }
}

void RedisConnection::fail(const std::string& what) const {
  throw RedisError(RedisFailure::kUnreachable, name_ + ": " + what);
}

}  // namespace bloometry
