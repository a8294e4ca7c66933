#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/golden.hpp"

namespace bloometry::test {

/// Returns the content of interop_vectors.json, the results of other programs. Each program has a
/// section, whose field "verified" names the program. The 64-bit integers in the file are decimal
/// strings.
inline const nlohmann::json& interop_vectors() {
  static const nlohmann::json document = golden_document("interop_vectors.json");
  return document;
}

/// Returns the bytes of the named keys in interop_vectors.json.
inline const std::map<std::string, std::string>& interop_keys() {
  static const auto keys = [] {
    std::map<std::string, std::string> bytes;
    for (const auto& key : interop_vectors().at("keys")) {
      bytes[key.at("name").get<std::string>()] = bytes_of_hex(key.at("hex"));
    }
    return bytes;
  }();
  return keys;
}

inline std::uint64_t word_of_decimal(const nlohmann::json& text) {
  return std::stoull(text.get<std::string>());
}

}  // namespace bloometry::test
