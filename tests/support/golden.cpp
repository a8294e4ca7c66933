#include "tests/support/golden.hpp"

#include <fstream>
#include <stdexcept>

#include "test_folders.hpp"

namespace bloometry::test {

nlohmann::json golden_document(const std::string& file) {
  const std::string path = std::string(kGoldenFolder) + "/" + file;
  std::ifstream stream(path);
  if (!stream) throw std::runtime_error("cannot read " + path);
  return nlohmann::json::parse(stream);
}

nlohmann::json golden_records(const std::string& file) {
  return golden_document(file).at("records");
}

std::string text_of(const nlohmann::json& record) {
  return record.dump();
}

std::uint64_t word_of_hex(const nlohmann::json& text) {
  return std::stoull(text.get<std::string>(), nullptr, 16);
}

std::string bytes_of_hex(const nlohmann::json& json) {
  const auto text = json.get<std::string>();
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

}  // namespace bloometry::test
