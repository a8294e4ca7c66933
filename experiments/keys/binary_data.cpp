#include "experiments/keys/binary_data.hpp"

#include <algorithm>

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
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto value = static_cast<unsigned char>(*control);
  return std::string("the control character 0x") + kDigits[value / 16] + kDigits[value % 16] +
         " at byte " + std::to_string(control - start.begin() + 1);
}

}  // namespace bloometry
