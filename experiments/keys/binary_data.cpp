#include "experiments/keys/binary_data.hpp"

#include <algorithm>
#include <fmt/core.h>

#include "experiments/keys/file_signature.hpp"

namespace bloometry {
namespace {

bool is_control_byte(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return value < 0x20 && byte != '\t' && byte != '\n' && byte != '\r';
}

}  // namespace

std::string why_not_text(std::string_view start) {
  const auto* const control = std::find_if(start.begin(), start.end(), is_control_byte);
  if (control == start.end()) return {};
  if (const FileSignature* const signature = find_signature(start)) {
    return std::string(signature->name);
  }
  if (start.starts_with("\x1f\x8b")) return "gzip data with an unknown header";
  return fmt::format("the control character 0x{:02x} at byte {}",
                     static_cast<unsigned char>(*control), control - start.begin() + 1);
}

}  // namespace bloometry
