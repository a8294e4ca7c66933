#include "experiments/report/num_hashes_places.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <map>

#include "core/text.hpp"
#include "experiments/report/labels.hpp"

namespace bloometry::report {
namespace {

/// Neighbouring places with one k.
struct Run {
  std::uint64_t num_hashes;
  std::vector<std::string> places;
};

/// The k of a series by the order of the places.
using Places = std::map<double, const KMark*>;

std::vector<Run> runs_of(const Places& places) {
  std::vector<Run> runs;
  for (const auto& [order, mark] : places) {
    if (runs.empty() || runs.back().num_hashes != mark->num_hashes) {
      runs.push_back({mark->num_hashes, {}});
    }
    runs.back().places.push_back(mark->place);
  }
  return runs;
}

std::string text_of(const Run& run, PlaceText text) {
  if (text == PlaceText::kNames) {
    return fmt::format("{} in {}", run.num_hashes, quoted(run.places));
  }
  const std::string& first = run.places.front();
  const std::string& last = run.places.back();
  return fmt::format("{} at {}", run.num_hashes,
                     first == last ? first : fmt::format("{} to {}", first, last));
}

/// Returns the names of some series as text. A chart of one series has no name for it.
std::string text_of(const std::vector<std::string>& series) {
  return series.front().empty() ? "the marks" : quoted(series);
}

/// Returns the places of each series, or std::nullopt if a place has two k.
std::optional<std::map<std::string, Places>> places_by_series(const std::vector<KMark>& marks) {
  std::map<std::string, Places> places;
  for (const KMark& mark : marks) {
    const auto [found, is_new] = places[mark.series].try_emplace(mark.order, &mark);
    if (!is_new && found->second->num_hashes != mark.num_hashes) return std::nullopt;
  }
  return places;
}

std::size_t num_texts(const std::vector<Run>& runs, PlaceText text) {
  std::size_t num = 0;
  for (const Run& run : runs) num += text == PlaceText::kNames ? run.places.size() : 1;
  return num;
}

}  // namespace

bool rise_with_place(const std::vector<KMark>& marks) {
  const auto places = places_by_series(marks);
  if (!places) return false;
  return std::all_of(places->begin(), places->end(), [](const auto& entry) {
    const Places& of_series = entry.second;
    const std::vector<Run> runs = runs_of(of_series);
    return runs.size() == 1 ||
           (runs.size() == of_series.size() &&
            std::is_sorted(runs.begin(), runs.end(),
                           [](const Run& a, const Run& b) { return a.num_hashes < b.num_hashes; }));
  });
}

std::optional<std::string> num_hashes_by_place(const std::vector<KMark>& marks, PlaceText text) {
  constexpr std::size_t kMostTexts = 24;
  const auto places = places_by_series(marks);
  if (!places) return std::nullopt;
  std::map<std::string, std::vector<std::string>> series_of;  // by text
  std::vector<std::string> texts;
  std::size_t num = 0;
  bool has_several = false;
  for (const auto& [series, of_series] : *places) {
    const std::vector<Run> runs = runs_of(of_series);
    has_several = has_several || runs.size() > 1;
    const std::string words = joined(runs, [&](const Run& run) { return text_of(run, text); });
    std::vector<std::string>& names = series_of[words];
    if (names.empty()) {
      texts.push_back(words);
      num += num_texts(runs, text);
    }
    names.push_back(series);
  }
  if (!has_several || num > kMostTexts) return std::nullopt;
  return "k " + joined(
                    texts,
                    [&](const std::string& words) {
                      return fmt::format("of {}: {}", text_of(series_of.at(words)), words);
                    },
                    "; ");
}

}  // namespace bloometry::report
