#include "experiments/unit/unit_id.hpp"

#include <fmt/core.h>

#include "experiments/text/content_hash.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/unit/spec_text.hpp"

namespace bloometry {
namespace {

void append_line(std::string& text, std::string_view name, const std::string& value) {
  text.append(name).append("=").append(value).append("\n");
}

void append_text(std::string& text, std::string_view name, const std::string& value) {
  append_line(text, name, json_string(value));
}

std::string churn_text(const std::optional<Churn>& churn) {
  if (!churn) return "none";
  return fmt::format("{},{},{},{}", churn->rounds, number_text(churn->erase),
                     number_text(churn->reinsert), number_text(churn->wrongful_erases));
}

std::string window_text(const StreamWindow& window) {
  return fmt::format("{},{},{},{},{}", window.unit(), window.size, window.inserts_per_tick,
                     number_text(window.reinsert), number_text(window.erase));
}

std::string stream_text(const ItemStream& stream) {
  return fmt::format("{},{},{},{}", number_text(stream.zipf), stream.num_distinct,
                     stream.insert_name(), stream.clear_every);
}

}  // namespace

std::string unit_id(const Unit& unit) {
  return content_hash(unit_text(unit));
}

std::string unit_text(const Unit& unit) {
  std::string text = unit_text_without_points(unit);
  for (const Point& point : unit.points) {
    append_line(text, "point",
                fmt::format("{},{},{}", point.num_inserted, point.num_hashes, point.num_queries));
  }
  return text;
}

std::string unit_text_without_points(const Unit& unit) {
  std::string text = "bloometry unit\n";
  append_line(text, "rows_version", std::to_string(kRowsVersion));
  append_line(text, "root_seed", std::to_string(unit.root_seed));
  append_text(text, "variant", unit.variant);
  append_text(text, "keys", unit.keys.name);
  append_text(text, "content_hash", unit.keys.content_hash);
  append_text(text, "hash", unit.hash);
  append_text(text, "probes", unit.probes);
  append_line(text, "size", size_text(unit.spec));
  append_line(text, "params", unit.params);
  append_line(text, "churn", churn_text(unit.churn));
  if (unit.window) append_line(text, "window", window_text(*unit.window));
  if (unit.stream) append_line(text, "stream", stream_text(*unit.stream));
  append_line(text, "trial", std::to_string(unit.trial));
  return text;
}

}  // namespace bloometry
