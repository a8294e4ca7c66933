#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bloometry::test {

/// Returns the bytes in the vector's field `serialized_hex` or `serialized_base64`.
std::string serialized_bytes(const nlohmann::json& vector);

}  // namespace bloometry::test
