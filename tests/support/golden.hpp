#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace bloometry::test {

// Defined in golden.cpp, so that the JSON parser is compiled only once; it costs seconds per test
// that includes it.

/// Returns a whole file of tests/golden.
nlohmann::json golden_document(const std::string& file);

/// Returns the records of a file of tests/golden.
nlohmann::json golden_records(const std::string& file);

/// Returns the JSON text, which a failed check shows.
std::string text_of(const nlohmann::json& record);

std::uint64_t word_of_hex(const nlohmann::json& text);

std::string bytes_of_hex(const nlohmann::json& json);

}  // namespace bloometry::test
