#pragma once

#include <exception>
#include <string>

namespace bloometry::test {

/// Returns the message of the exception of the given type that `call` throws, or "nothing thrown".
template <class Exception, class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const Exception& error) {
    return error.what();
  }
  return "nothing thrown";
}

inline bool contains_text(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace bloometry::test
