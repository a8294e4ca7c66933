#include "experiments/unit/key_lifetime.hpp"

namespace bloometry {

KeyLifetime lifetime_of(const Window& window, bool leaves_traces, unsigned num_hashes) noexcept {
  KeyLifetime lifetime{.num_found = window.num_ticks,
                       .num_gone = window.num_ticks + (leaves_traces ? num_hashes : 1)};
  // A key is found for num_ticks whole generations after its own insert (core/contract/window.hpp).
  if (window.num_inserts && window.num_ticks > 0) {
    lifetime.generation_capacity = (*window.num_inserts - 1) / window.num_ticks;
  }
  return lifetime;
}

std::optional<KeyLifetime> lifetime_of(const VariantInfo& variant, const FilterSpec& spec) {
  const std::optional<Window> window = variant.window_of(spec);
  if (!window) return std::nullopt;
  return lifetime_of(*window, variant.leaves_traces, spec.num_hashes.value_or(1));
}

}  // namespace bloometry
