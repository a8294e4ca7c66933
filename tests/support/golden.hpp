#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace bloometry::test {

// In golden.cpp, so that the parser is compiled once: it is seconds of every test that reads.

/// A file of tests/golden, whole.
nlohmann::json golden_document(const std::string& file);

/// The records of a file of tests/golden.
nlohmann::json golden_records(const std::string& file);

/// The JSON text: what a failed check shows.
std::string text_of(const nlohmann::json& record);

std::uint64_t word_of_hex(const nlohmann::json& text);

std::string bytes_of_hex(const nlohmann::json& json);

}  // namespace bloometry::test
