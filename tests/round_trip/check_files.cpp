#include "tests/round_trip/check_files.hpp"

#include <bit>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/file/filter_image.hpp"
#include "core/file/stored_file.hpp"
#include "experiments/cli/filter/facts_text.hpp"
#include "experiments/cli/filter/filter_files.hpp"
#include "experiments/filter_files/bloometry_filter.hpp"
#include "tests/core/file/new_folder.hpp"
#include "tests/differential/tested_filter.hpp"
#include "tests/support/mapped_filters.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry::test {
namespace {

void write(const AnyFilter& filter, const FileNotes& notes, const std::filesystem::path& path) {
  FilterImage image = filter.image();
  image.header.notes = with_notes(image.header.notes, notes);
  write_filter_file(path, image.header, image.stores);
}

std::vector<bool> answers_of(const AnyFilter& filter, std::span<const Digest> keys) {
  const auto answers = std::make_unique<bool[]>(keys.size());
  filter.contains(keys, {answers.get(), keys.size()});
  return std::vector<bool>(answers.get(), answers.get() + keys.size());
}

void require_equal_filters(const AnyFilter& loaded, const AnyFilter& filter,
                           std::span<const Digest> queries) {
  require(loaded == filter, "a loaded filter differs");
  require(loaded.state() == filter.state(), "the state of a loaded filter differs");
  require(answers_of(loaded, queries) == answers_of(filter, queries),
          "a loaded filter gives other answers");
  if (!filter.can_estimate_count()) return;
  require(std::bit_cast<std::uint64_t>(loaded.estimate_count()) ==
              std::bit_cast<std::uint64_t>(filter.estimate_count()),
          "a loaded filter has another estimate");
}

/// Maps the file as the filter's class, and compares the mapped filter with the filter.
void check_mapped(const AnyFilter& filter, std::span<const Digest> queries,
                  const std::filesystem::path& path) {
  const MappedFilter mapped =
      map_any(filter.name(), filter.probes(), path, MappedFile::Checks::kAll);
  const MappedAnswers answers = mapped(queries);
  require(answers.state == filter.state(), "the state of a mapped filter differs");
  require(answers.params == filter.image().header.params,
          "the parameters of a mapped filter differ");
  require(answers.are_present == answers_of(filter, queries),
          "a mapped filter gives another answer");
  require(answers.num_positives == filter.count_positives(queries),
          "a batch of queries of a mapped filter gives other answers");
}

/// Describes the file as the commands `filter info`, `filter verify` and `filter diff` do.
void check_description(const std::filesystem::path& path) {
  const FilterFacts facts = BloometryFilter::load(path, std::nullopt)->facts();
  require(contradiction_in(facts).empty(), "the counts of the file contradict its cells");
  require(!to_json(facts).dump().empty() && !text_of(facts).empty(), "the description is empty");
}

}  // namespace

void check_files(AnyFilter& filter, const FileNotes& notes, const KeysOfCheck& keys,
                 const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "filter";
  write(filter, notes, file);
  verify_checksums(file);
  const std::string bytes = bytes_of_file(file);
  LoadedFilter loaded = load_any(file);
  require(loaded.header.params == filter.image().header.params, "the parameters differ");
  require_equal_filters(loaded.filter, filter, keys.queries);
  check_mapped(filter, keys.queries, file);
  check_description(file);
  write(loaded.filter, notes, file);
  require(bytes_of_file(file) == bytes, "a second save writes other bytes");
  // The loaded filter opens the same stages, saturates the same counters and is full at the same
  // key as the original.
  require(loaded.filter.try_insert(keys.further) == filter.try_insert(keys.further),
          "a loaded filter counts other new keys");
  require_equal_filters(loaded.filter, filter, keys.queries);
}

}  // namespace bloometry::test
