#include "core/redis/redis_url.hpp"

#include <charconv>

#include "core/error.hpp"

namespace bloometry {
namespace {

constexpr std::string_view kForms =
    "must be redis://[[user]:password@]host[:port][/database] or unix:/path[?db=N]";

template <class Number>
Number parse_number(std::string_view text, const char* what, unsigned max) {
  unsigned value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last || value > max) {
    throw ConfigError("url", std::string(kForms) + "; its " + what + " must be in [0, " +
                                 std::to_string(max) + "], got '" + std::string(text) + "'");
  }
  return static_cast<Number>(value);
}

std::string without_escapes(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      bytes.push_back(text[i]);
      continue;
    }
    unsigned value = 0;
    const std::string_view digits = text.substr(i + 1, 2);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (error != std::errc() || digits.size() != 2 || end != digits.data() + 2) {
      throw ConfigError("url",
                        "must have two hexadecimal digits after each % of user and password");
    }
    bytes.push_back(static_cast<char>(value));
    i += 2;
  }
  return bytes;
}

std::uint32_t parse_database(std::string_view text) {
  return parse_number<std::uint32_t>(text, "database", 1000000);
}

RedisUrl parse_socket(std::string_view rest) {
  RedisUrl url;
  if (rest.starts_with("//")) rest.remove_prefix(2);
  const std::size_t query = rest.find("?db=");
  if (query != std::string_view::npos) {
    url.database = parse_database(rest.substr(query + 4));
    rest = rest.substr(0, query);
  }
  if (rest.empty()) throw ConfigError("url", std::string(kForms) + "; the path is missing");
  url.socket = rest;
  return url;
}

void parse_user(std::string_view text, RedisUrl& url) {
  const std::size_t colon = text.find(':');
  url.user = without_escapes(text.substr(0, colon));
  if (colon != std::string_view::npos) url.password = without_escapes(text.substr(colon + 1));
}

void parse_host(std::string_view text, RedisUrl& url) {
  std::size_t colon = text.rfind(':');
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) {
      throw ConfigError("url", std::string(kForms) + "; a bracket of its host is not closed");
    }
    url.host = text.substr(1, end - 1);
    colon = end + 1 < text.size() ? end + 1 : std::string_view::npos;
    if (colon != std::string_view::npos && text[colon] != ':') url.host.clear();
  } else {
    url.host = text.substr(0, colon);
  }
  if (colon != std::string_view::npos) {
    url.port = parse_number<std::uint16_t>(text.substr(colon + 1), "port", 65535);
  }
  if (url.host.empty()) throw ConfigError("url", std::string(kForms) + "; the host is missing");
}

RedisUrl parse_tcp(std::string_view rest) {
  RedisUrl url;
  const std::size_t at = rest.rfind('@');
  if (at != std::string_view::npos) {
    parse_user(rest.substr(0, at), url);
    rest.remove_prefix(at + 1);
  }
  const std::size_t slash = rest.find('/');
  if (slash != std::string_view::npos) {
    const std::string_view database = rest.substr(slash + 1);
    if (!database.empty()) url.database = parse_database(database);
    rest = rest.substr(0, slash);
  }
  parse_host(rest, url);
  return url;
}

}  // namespace

std::string RedisUrl::name() const {
  const std::string number = std::to_string(database);
  if (!socket.empty()) return "unix:" + socket + (database == 0 ? "" : "?db=" + number);
  const bool is_ipv6 = host.find(':') != std::string::npos;
  return "redis://" + (is_ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port) + "/" +
         number;
}

RedisUrl parse_redis_url(std::string_view text) {
  // A NUL would end the host or the path early, and hiredis would ignore the rest of the URL.
  if (text.find('\0') != std::string_view::npos) {
    throw ConfigError("url", "must not contain a NUL byte");
  }
  if (text.starts_with("redis://")) return parse_tcp(text.substr(8));
  if (text.starts_with("unix:")) return parse_socket(text.substr(5));
  // The message does not contain the rest of the URL, which may contain a password.
  const std::size_t scheme_end = text.find("://");
  const std::string got = scheme_end == std::string_view::npos
                              ? "a text without ://"
                              : std::string(text.substr(0, scheme_end + 3));
  const bool is_encrypted = text.starts_with("rediss://");
  throw ConfigError("url", "must begin with redis:// or unix:, got " + got +
                               (is_encrypted ? "; connections are not encrypted, so use a local "
                                               "proxy that encrypts them, such as stunnel"
                                             : ""));
}

}  // namespace bloometry
