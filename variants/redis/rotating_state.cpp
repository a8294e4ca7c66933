#include "variants/redis/rotating_state.hpp"

#include <charconv>
#include <string>

#include "core/error.hpp"
#include "variants/redis/field_reader.hpp"

namespace bloometry {
namespace {

/// Removes a number from the beginning of the text.
/// @returns false if the text does not begin with a number below 2^53
bool take_number(std::string_view& text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number >= (std::uint64_t{1} << 53U)) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, char letter) {
  if (!text.starts_with(letter)) return false;
  text.remove_prefix(1);
  return true;
}

/// Parses a list of generations. Returns false if the text is not such a list.
bool parse_created(std::string_view text, std::vector<RedisGeneration>& created) {
  while (!text.empty()) {
    if (!created.empty() && !take(text, ' ')) return false;
    RedisGeneration generation;
    if (!take_number(text, generation.number) || !take(text, ':')) return false;
    if (!take_number(text, generation.num_inserts)) return false;
    created.push_back(generation);
  }
  return true;
}

/// Returns whether the numbers increase, and each has a slot of its own.
bool fits_slots(const std::vector<RedisGeneration>& created, std::uint64_t generations) {
  for (std::size_t i = 0; i < created.size(); ++i) {
    if (i > 0 && created[i].number <= created[i - 1].number) return false;
    if (created[i].number + generations <= created.back().number) return false;
  }
  return true;
}

}  // namespace

std::vector<RedisGeneration> RotatingState::live_at(std::uint64_t time_ms,
                                                    const RotatingParameters& parameters) const {
  std::vector<RedisGeneration> live;
  for (auto generation = created.rbegin(); generation != created.rend(); ++generation) {
    if (parameters.expiry_ms(generation->number) > time_ms) live.push_back(*generation);
  }
  return live;
}

RotatingState parse_rotating_state(const RedisFields& fields,
                                   const RotatingParameters& parameters) {
  const FieldReader reader(fields);
  RotatingState state{.num_updates = reader.number<std::uint64_t>(kUpdatesField)};
  const std::string& text = reader.text(kCreatedField);
  if (!parse_created(text, state.created) || !fits_slots(state.created, parameters.generations)) {
    throw ConfigError(kCreatedField,
                      "must be a list of generations as in '1789:250 1790:12', got '" + text + "'");
  }
  return state;
}

}  // namespace bloometry
