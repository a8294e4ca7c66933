#include "tests/variants/foreign/vector_bytes.hpp"

#include "tests/support/base64.hpp"
#include "tests/support/golden.hpp"

namespace bloometry::test {

std::string serialized_bytes(const nlohmann::json& vector) {
  if (vector.contains("serialized_hex")) return bytes_of_hex(vector.at("serialized_hex"));
  return bytes_of_base64(vector.at("serialized_base64").get<std::string>());
}

}  // namespace bloometry::test
