#pragma once

#include <cstdint>
#include <string>

#include "core/hash/little_endian.hpp"
#include "tests/support/base64.hpp"

namespace bloometry::test {

/// Returns a Parquet file with the columns name (`key 0` to `key 9`) and id (0 to 4), each with a
/// Bloom filter. DuckDB 1.5.6 wrote the file by `COPY (SELECT 'key ' || (range % 10) AS name,
/// (range % 5)::BIGINT AS id FROM range(100)) TO 'x.parquet'`. DuckDB's function parquet_metadata
/// returns bloom_filter_offset 214 and 261, and bloom_filter_length 47 and 47.
inline std::string parquet_file_with_filters() {
  return bytes_of_base64(
      "UEFSMRUEFbQBFWhMFRQVAAAAWiAFAAAAa2V5IDARCQAxEQkAMhEJADMRCQA0EQkANREJADYRCQA3EQkkOAUAAABrZXkg"
      "ORUAFZICFTgsFcgBFQQVBhUGAACJATQDAAAAyAEBBEEQMlR2mLIFAAAA/gEAMgEAFQQVUBU8TBUKFQAAACgAAA0BAAEN"
      "CAACDQg8AwAAAAAAAAAEAAAAAAAAABUAFdIBFUYsFcgBFQQVBhUGAABpXAMAAADIAQEDQYhGRCOiEdGIaEQ0IhoRjVYP"
      "AAQIAOIBABVAHBwAABwcAAAcHAAAAGQShAQoSCRBApB1BAeAhA0YmQBAJoCQhg0HAQZBI6BwFUAcHAAAHBwAABwcAAAA"
      "EAIYCAQABAYCJIACAAAmCnAAQAQBAAKYQEAAICBJAAAVAhk8NQAYDWR1Y2tkYl9zY2hlbWEVBAAVDCUCGARuYW1lJQAA"
      "FQQlAhgCaWQlJAAWyAEZHBksJgAcFQwZFQQZGARuYW1lFQIWyAEWiAQW4gEmjAEmCBwYBWtleSA5GAVrZXkgMBYAFhQY"
      "BWtleSA5GAVrZXkgMBERACasAxVeAAAmABwVBBkVBBkYAmlkFQIWyAEW4gIWwgEmwAIm6gEcGAgEAAAAAAAAABgIAAAA"
      "AAAAAAAWABYKGAgEAAAAAAAAABgIAAAAAAAAAAAREQAmigQVXgAAFuoGFsgBJggWpAMAKChEdWNrREIgdmVyc2lvbiB2"
      "MS41LjYgKGJ1aWxkIDA2OWNjOWY5YjUpGSwcAAAcAAAAFQEAAFBBUjE=");
}

/// Returns a Parquet file of DuckDB without Bloom filters.
inline std::string parquet_file_without_filters() {
  return bytes_of_base64(
      "UEFSMRUAFawBFYoBLBUUFQAVBhUGAABWGAIAAAAUAQANAREJARYBAQADAQUMAAAABAEFDAAAAAUBBQwAAAAGAQUMAAAA"
      "BwEFSAAAAAgAAAAAAAAACQAAAAAAAAAVAhksNQAYDWR1Y2tkYl9zY2hlbWEVAgAVBCUCGAJpZCUkABYUGRwZHCYAHBUE"
      "GRUAGRgCaWQVAhYUFtIBFrABJgg8GAgJAAAAAAAAABgIAAAAAAAAAAAWACgICQAAAAAAAAAYCAAAAAAAAAAAEREAAAAW"
      "0gEWFCYIFrABACgoRHVja0RCIHZlcnNpb24gdjEuNS42IChidWlsZCAwNjljYzlmOWI1KRkcHAAAAK0AAABQQVIx");
}

/// Returns a Parquet file with the given bytes between PAR1 and the footer.
inline std::string file_of(const std::string& body, const std::string& footer) {
  std::string file = "PAR1" + body + footer;
  append_little_endian(file, static_cast<std::uint32_t>(footer.size()));
  return file + "PAR1";
}

/// Returns a footer with one row group of one column. The metadata of the column consists of the
/// given fields.
inline std::string footer_of(const std::string& column_fields) {
  // FileMetaData: field 4, a list of a struct; RowGroup: field 1, a list of a struct; ColumnChunk:
  // field 3, a struct.
  using namespace std::string_literals;
  return "\x49\x1c\x19\x1c\x3c"s + column_fields + "\0\0\0\0"s;
}

}  // namespace bloometry::test
