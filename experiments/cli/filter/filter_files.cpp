#include "experiments/cli/filter/filter_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/file/write_file.hpp"
#include "core/text.hpp"
#include "experiments/cli/terminal/message.hpp"
#include "experiments/cli/terminal/optional_json.hpp"
#include "experiments/cli/theory/prediction_output.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/filter_files/bloometry_filter.hpp"
#include "experiments/filter_files/filter_hash.hpp"
#include "experiments/filter_files/foreign_filters.hpp"
#include "experiments/unit/spec_text.hpp"

namespace bloometry {
namespace {

namespace fs = std::filesystem;

fs::path checked_output(const fs::path& name, const char* option) {
  if (name == "-") throw ConfigError(fmt::format("{} must be a file, got -", option));
  fs::path path = without_link(name);
  require_regular_file(path);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (!path.has_filename() || ::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw ConfigError(fmt::format(
        "{} must be a file in a folder that can be written, got {}{}", option, path.string(),
        path.has_filename() ? fmt::format(": {}", std::strerror(errno)) : ""));
  }
  return path;
}

/// Locks a file. @param advice what limits the wait, for the message
FileLock locked(const fs::path& path, std::optional<std::chrono::seconds> limit,
                const char* advice) {
  return {path, {.limit = limit, .on_wait = [&](const std::string& holder) {
                   print_message(fmt::format("waiting for {}, which has locked {} (Ctrl-C stops{})",
                                             holder, path.string(), advice));
                 }}};
}

/// Returns the 64 bits as hexadecimal text, because many JSON parsers convert numbers to doubles.
std::string hex_text(std::uint64_t value) {
  return fmt::format("{:x}", value);
}

/// Adds the window and the counts of a filter that forgets.
void add_generations(nlohmann::ordered_json& json, const FilterFacts& facts) {
  if (!facts.generations) return;
  json["window_num_inserts"] = or_null(facts.window->num_inserts);
  json["window_num_ticks"] = facts.window->num_ticks;
  json["generations"] = facts.generations->num_inserted;
  json["num_rotations"] = facts.generations->num_rotations;
  json["num_ticks"] = facts.generations->num_ticks;
  json["num_overfull_generations"] = facts.generations->num_overfull;
}

nlohmann::ordered_json json_or_null(const std::optional<ExpectedRate>& rate) {
  return rate ? to_json(*rate) : nlohmann::ordered_json(nullptr);
}

}  // namespace

void require_file_format(const std::string& name) {
  const auto formats = foreign_file_formats();
  if (name == BloometryFilter::kFormat || std::ranges::find(formats, name) != formats.end()) return;
  throw ConfigError("to", fmt::format("must be one of {}, {}, got '{}'", BloometryFilter::kFormat,
                                      joined(formats), name));
}

std::unique_ptr<FileFilter> open_filter(const FilterInput& input) {
  OpenOptions options{.format = input.from,
                      .sizes = input.sizes,
                      .is_updated = input.is_updated,
                      .formats = input.formats};
  if (input.secret) options.secret = read_secret(*input.secret);
  return open_filter(input.path, options);
}

FilterOutput::FilterOutput(const fs::path& path, const char* option)
    : path_(checked_output(path, option)), option_(option) {}

void FilterOutput::lock(std::optional<std::chrono::seconds> limit) {
  lock_.emplace(locked(path_, limit, ", --wait N limits the wait"));
}

template <class WriteTo>
void FilterOutput::write_locked(WriteTo write_to) const {
  std::optional<FileLock> lock;
  const bool is_lockable = ::access(path_.c_str(), R_OK) == 0;
  if (!lock_ && is_lockable) lock.emplace(locked(path_, std::nullopt, ""));
  if (lock_) lock_->require_unchanged();
  write_to(path_);
}

void FilterOutput::write(const FileFilter& filter) const {
  write_locked([&](const fs::path& path) { filter.write(path); });
}

void FilterOutput::write(std::string_view text) const {
  write_locked([&](const fs::path& path) { replace_file(path, text); });
}

void FilterOutput::require_other_than(std::span<const fs::path> inputs,
                                      const std::optional<fs::path>& secret) const {
  const auto is_output = [&](const fs::path& input) {
    std::error_code error;
    return fs::equivalent(input == "-" ? fs::path("/dev/stdin") : input, path_, error);
  };
  if (std::ranges::none_of(inputs, is_output) && !(secret && is_output(*secret))) return;
  throw ConfigError(fmt::format("{} must not be an input file, got {}", option_, path_.string()));
}

std::string FilterOutput::kept_text(const fs::path& path) {
  std::error_code error;
  return path.string() + (fs::exists(path, error) ? " is unchanged" : " was not written");
}

void add_sizes_check(nlohmann::ordered_json& json, const std::optional<SizesCheck>& check) {
  if (!check) return;
  json["least_fitting_num_bits"] = check->fitting.least;
  json["most_fitting_num_bits"] = or_null(check->fitting.most);
  json["is_num_bits_checked"] = check->is_num_bits_checked;
  json["is_num_hashes_checked"] = check->is_num_hashes_checked;
}

void print_unchecked_sizes(const std::string& name, const std::optional<SizesCheck>& check) {
  if (!check || check->is_num_bits_checked) return;
  print_message(
      fmt::format("warning: {}: {}. With other values than those of the program that wrote the "
                  "bitmap, the answers are wrong",
                  name, text_of(*check)));
}

void print_unchecked_sizes(const fs::path& path, const FileFilter& filter) {
  const RedisBitmapFilter* const bitmap = redis_bitmap_in(filter);
  if (bitmap != nullptr) print_unchecked_sizes(path.string(), check_sizes(*bitmap));
}

nlohmann::ordered_json to_json(const FilterFacts& facts) {
  nlohmann::ordered_json json = {{"format", facts.format}};
  if (!facts.variant.empty()) json["variant"] = facts.variant;
  if (!facts.probes.empty()) json["probes"] = facts.probes;
  json["hash"] =
      facts.hash.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(facts.hash);
  add_if_given(json, "seed", facts.seed);
  if (facts.key_id) json["key_id"] = hex_text(*facts.key_id);
  for (const auto& [name, value] : facts.details) json[name] = value;
  if (!facts.params.empty()) {
    json["params"] = nlohmann::ordered_json::parse(params_text(facts.params));
  }
  json["num_cells"] = facts.num_cells;
  json["cell_bits"] = facts.cell_bits;
  json["num_bits"] = facts.state.num_bits;
  json["num_hashes"] = facts.num_hashes > 0 ? nlohmann::ordered_json(facts.num_hashes)
                                            : nlohmann::ordered_json(nullptr);
  add_sizes_check(json, facts.sizes_check);
  add_if_given(json, "initial_capacity", facts.initial_capacity);
  add_if_given(json, "capacity", facts.notes.capacity);
  add_if_given(json, "target_false_positive_rate", facts.notes.target_false_positive_rate);
  add_if_given(json, "num_inserted", facts.notes.num_inserted);
  json["num_ones"] = facts.state.num_ones;
  add_if_given(json, "num_reachable_cells", facts.num_reachable_cells);
  json["fill_ratio"] = facts.fill_ratio();
  add_if_given(json, "num_stages", facts.state.num_stages);
  add_generations(json, facts);
  add_if_given(json, "num_stored", facts.state.num_stored);
  add_if_given(json, "num_saturated", facts.state.num_saturated);
  add_if_given(json, "num_refused_erases", facts.state.num_refused_erases);
  add_if_given(json, "num_skipped_decrements", facts.state.num_skipped_decrements);
  json["estimated_num_keys"] = finite_or_null(facts.estimated_num_keys);
  if (!facts.why_no_estimate.empty()) json["why_no_estimate"] = facts.why_no_estimate;
  json["num_keys"] = or_null(facts.num_keys);
  json["is_num_keys_estimated"] = facts.is_num_keys_estimated;
  json["expected_false_positive_rate"] = or_null(facts.expected_rate);
  if (!facts.expected_rate) json["why_no_expected_rate"] = facts.why_no_expected_rate;
  json["expected"] = json_or_null(facts.expected);
  json["false_positive_rate_given_state"] = or_null(facts.rate_given_state);
  if (!facts.rate_given_state) {
    json["false_positive_rate_if_independent"] = or_null(facts.rate_if_independent);
  }
  json["given_state"] = json_or_null(facts.given_state);
  json["num_keys_at_target"] = or_null(facts.num_keys_at_target);
  json["num_keys_left"] = or_null(facts.num_keys_left());
  if (!facts.remark.empty()) json["remark"] = facts.remark;
  return json;
}

void warn_of_lost_mark(const FileFilter& intersection) {
  const FilterFacts facts = intersection.description();
  if (facts.notes.is_intersected) return;
  print_message(fmt::format(
      "warning: a file of {} cannot state that the filter is an intersection; {}", facts.format,
      facts.counts_new_keys
          ? "its count of keys is an estimate, and its set bits are those of more keys"
          : "estimates of its number of keys from the set bits will be too high"));
}

}  // namespace bloometry
