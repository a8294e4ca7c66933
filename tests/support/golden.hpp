#pragma once

#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "test_folders.hpp"

namespace bloometry::test {

/// A file of tests/golden, whole.
inline nlohmann::json golden_document(const std::string& file) {
  const std::string path = std::string(kGoldenFolder) + "/" + file;
  std::ifstream stream(path);
  if (!stream) throw std::runtime_error("cannot read " + path);
  return nlohmann::json::parse(stream);
}

/// The records of a file of tests/golden.
inline nlohmann::json golden_records(const std::string& file) {
  return golden_document(file).at("records");
}

inline std::uint64_t word_of_hex(const nlohmann::json& text) {
  return std::stoull(text.get<std::string>(), nullptr, 16);
}

inline std::string bytes_of_hex(const nlohmann::json& json) {
  const auto text = json.get<std::string>();
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

}  // namespace bloometry::test
