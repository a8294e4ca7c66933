#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bloometry::test {

/// Returns the bytes of `serialized_hex` or `serialized_base64`, whichever the vector has.
std::string serialized_bytes(const nlohmann::json& vector);

}  // namespace bloometry::test
