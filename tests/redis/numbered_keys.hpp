#pragma once

#include <string>
#include <vector>

#include "core/hash/key_view.hpp"

namespace bloometry::test {

/// Returns the keys `key-<first>` to `key-<last - 1>`.
inline std::vector<std::string> numbered_keys(int first, int last) {
  std::vector<std::string> keys;
  for (int i = first; i < last; ++i) keys.push_back("key-" + std::to_string(i));
  return keys;
}

inline std::vector<KeyView> views_of(const std::vector<std::string>& keys) {
  return {keys.begin(), keys.end()};
}

}  // namespace bloometry::test
