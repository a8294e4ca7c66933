#include "experiments/unit/key_lifetime.hpp"

#include <algorithm>

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

std::uint64_t most_keys_of(const ItemStream& stream, const VariantInfo& variant,
                           const FilterSpec& spec, std::uint64_t num_items) {
  std::uint64_t most = std::min(num_items, stream.num_distinct);
  const std::optional<KeyLifetime> lifetime = lifetime_of(variant, spec);
  if (lifetime && lifetime->generation_capacity) {
    // A key may be in several generations.
    most = std::min(num_items, lifetime->num_gone * *lifetime->generation_capacity);
  }
  return stream.clear_every == 0 ? most : std::min(most, stream.clear_every);
}

}  // namespace bloometry
