#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace bloometry::test {

// The functions are defined in golden.cpp, so that the JSON parser is compiled only once. The
// parser adds seconds to the compile time of each file that includes the parser.

/// Returns the whole content of a file of tests/golden.
nlohmann::json golden_document(const std::string& file);

/// Returns the records of a file of tests/golden.
nlohmann::json golden_records(const std::string& file);

/// Returns the record as JSON text, for the message of a failed check.
std::string text_of(const nlohmann::json& record);

std::uint64_t word_of_hex(const nlohmann::json& text);

std::string bytes_of_hex(const nlohmann::json& json);

}  // namespace bloometry::test
