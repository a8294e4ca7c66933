#include "tests/variants/foreign/vector_bytes.hpp"

#include <cstdint>

#include "tests/support/golden.hpp"

namespace bloometry::test {

std::string bytes_of_base64(std::string_view text) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int num_bits = 0;
  for (const char letter : text) {
    if (letter == '=') break;
    bits = bits << 6U | static_cast<std::uint32_t>(kAlphabet.find(letter));
    num_bits += 6;
    if (num_bits < 8) continue;
    num_bits -= 8;
    bytes.push_back(static_cast<char>(bits >> static_cast<unsigned>(num_bits)));
  }
  return bytes;
}

std::string serialized_bytes(const nlohmann::json& vector) {
  if (vector.contains("serialized_hex")) return bytes_of_hex(vector.at("serialized_hex"));
  return bytes_of_base64(vector.at("serialized_base64").get<std::string>());
}

}  // namespace bloometry::test
