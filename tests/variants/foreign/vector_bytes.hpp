#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace bloometry::test {

/// Bytes of base64 of the standard alphabet, whose vectors are well formed.
std::string bytes_of_base64(std::string_view text);

/// The bytes of `serialized_hex` or `serialized_base64`, whichever the vector has.
std::string serialized_bytes(const nlohmann::json& vector);

}  // namespace bloometry::test
