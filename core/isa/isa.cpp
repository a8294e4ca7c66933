#include "core/isa/isa.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "core/isa/isa_support.hpp"

namespace bloometry {
namespace {

constexpr std::array kAllIsas = {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512, Isa::kVaes};

Isa widest_supported() noexcept {
  return *std::find_if(kAllIsas.rbegin(), kAllIsas.rend(), is_supported);
}

/// Returns the supported instruction set with the given name, or std::nullopt if the name is
/// unknown or the set is not supported.
std::optional<Isa> find_supported(std::string_view name) noexcept {
  const auto* isa = std::find_if(kAllIsas.begin(), kAllIsas.end(), [name](Isa candidate) {
    return isa_name(candidate) == name && is_supported(candidate);
  });
  return isa == kAllIsas.end() ? std::nullopt : std::optional(*isa);
}

Isa choose_isa() noexcept {
  const char* name = std::getenv(kIsaVariable);
  if (name == nullptr) return widest_supported();
  return find_supported(name).value_or(widest_supported());
}

std::string supported_names() {
  std::string names;
  for (const Isa isa : supported_isas()) {
    names.append(names.empty() ? "" : ", ").append(isa_name(isa));
  }
  return names;
}

}  // namespace

std::vector<Isa> supported_isas() {
  std::vector<Isa> isas;
  std::copy_if(kAllIsas.begin(), kAllIsas.end(), std::back_inserter(isas), is_supported);
  return isas;
}

Isa active_isa() noexcept {
  static const Isa chosen = choose_isa();
  return chosen;
}

bool uses_aes_instructions() noexcept {
  return active_isa() != Isa::kBaseline && has_aes_instructions();
}

void require_valid_isa_choice() {
  const char* name = std::getenv(kIsaVariable);
  if (name == nullptr || find_supported(name)) return;
  throw ConfigError("environment variable " + std::string(kIsaVariable) + " must be one of " +
                    supported_names() + " on this machine, got '" + name + "'");
}

}  // namespace bloometry
