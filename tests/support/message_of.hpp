#pragma once

#include <exception>
#include <string>

namespace bloometry::test {

/// What the exception of this type says that `call` throws; "nothing thrown" if it throws none.
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
