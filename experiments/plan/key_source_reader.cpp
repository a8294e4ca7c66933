#include "experiments/plan/key_source_reader.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/plan/plan_limits.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/text/printable.hpp"
#include "experiments/workload/key_patterns.hpp"
#include "experiments/workload/line_file.hpp"

namespace bloometry {
namespace {

/// Returns the key sources that need neither a file nor a parameter.
const std::vector<KeySource>& synthetic_sources() {
  static const std::vector<KeySource> sources = [] {
    std::vector<KeySource> all = {{.kind = KeySource::Kind::kRandom, .name = "random"},
                                  {.kind = KeySource::Kind::kSequential, .name = "sequential"},
                                  {.kind = KeySource::Kind::kDecimal, .name = "decimal"},
                                  {.kind = KeySource::Kind::kUrl, .name = "url"}};
    for (const KeyPattern& pattern : kKeyPatterns) {
      all.push_back({.kind = KeySource::Kind::kPattern, .name = std::string(pattern.name)});
    }
    return all;
  }();
  return sources;
}

/// Sets the hash and the number of lines of a key file. If the config contains a hash of the file,
/// the function reports a problem unless both hashes are equal.
void read_content(const ConfigField& field, const KeyFileAccess& files, KeySource& source) {
  const auto given = field.member("content_hash");
  if (given) source.content_hash = read_text(*given).value_or("");
  if (!files.is_allowed) return;
  try {
    const LineFile file(source.path);
    if (given && source.content_hash != file.content_hash()) {
      given->complain_must_be(file.content_hash() + ", the hash of the file's present content");
    }
    source.content_hash = file.content_hash();
    source.num_lines = file.lines().size();
    source.num_duplicates = file.num_duplicates();
    source.notes = file.notes();
  } catch (const IoError& error) {
    field.complain_of("file", error.what());
  }
}

std::string read_label(const ConfigField& field) {
  const std::optional<std::string> label = read_text(field);
  const bool fits = label && !label->empty() && label->size() <= kMaxKeyLabelBytes &&
                    printable(*label, kMaxKeyLabelBytes) == *label;
  if (label && !fits) {
    field.complain_must_be("a string of 1 to " + std::to_string(kMaxKeyLabelBytes) +
                           " bytes without control characters");
  }
  return fits ? *label : "";
}

std::optional<KeySource> read_key_file(const ConfigField& field, const KeyFileAccess& files) {
  check_members(field, {"file", "content_hash", "label"});
  const auto member = field.member("file");
  if (!member) {
    field.complain_of("file", "must be given: the path of a file of keys");
    return std::nullopt;
  }
  const std::optional<std::string> path = read_text(*member);
  if (!path) return std::nullopt;
  if (path->empty() || path->find('\0') != std::string::npos) {
    member->complain_must_be("the path of a file of keys");
    return std::nullopt;
  }
  KeySource source{.kind = KeySource::Kind::kFile,
                   .name = "file:" + *path,
                   .path = (files.base / *path).string()};
  if (const auto label = field.member("label")) source.label = read_label(*label);
  read_content(field, files, source);
  return source;
}

std::optional<KeySource> read_zipf_keys(const ConfigField& field) {
  check_members(field, {"zipf"});
  const std::optional<double> exponent =
      read_number(*field.member("zipf"), {.min = 0, .max = kMaxZipfExponent, .has_min = false});
  if (!exponent) return std::nullopt;
  return KeySource{.kind = KeySource::Kind::kZipf,
                   .name = std::string(kZipfPrefix) + number_text(*exponent),
                   .zipf_exponent = *exponent};
}

std::optional<KeySource> read_key_source(const ConfigField& field, const KeyFileAccess& files) {
  if (field.member("zipf")) return read_zipf_keys(field);
  if (field.value().is_object()) return read_key_file(field, files);
  for (const KeySource& source : synthetic_sources()) {
    if (field.value() == source.name) return source;
  }
  field.complain_must_be("one of " + joined(synthetic_key_names()) +
                         ", {\"zipf\": exponent} or {\"file\": path}");
  return std::nullopt;
}

/// Reports a label that is not unique, because charts identify key sources by their labels.
void require_label_of_its_own(const ConfigField& field, const KeySource& source,
                              const std::vector<KeySource>& others) {
  if (source.label.empty()) return;
  const auto& names = synthetic_sources();
  const bool is_name = std::any_of(names.begin(), names.end(), [&](const KeySource& other) {
    return other.name == source.label;
  });
  if (is_name || source.label.starts_with(kZipfPrefix) || source.label.starts_with("file:")) {
    field.complain_of("label", "must not be the name of other keys, got '" + source.label + "'");
  }
  for (const KeySource& other : others) {
    if (other.name == source.name || other.label != source.label) continue;
    field.complain_of("label",
                      "must differ from that of " + other.name + ", got '" + source.label + "'");
  }
}

}  // namespace

std::vector<std::string> synthetic_key_names() {
  std::vector<std::string> names;
  for (const KeySource& source : synthetic_sources()) names.push_back(source.name);
  return names;
}

std::vector<KeySource> read_keys(const ConfigField& root, const KeyFileAccess& files) {
  const auto member = root.member("keys");
  if (!member) return {KeySource{.name = "random"}};
  if (member->value().is_array() && member->value().empty()) {
    member->complain_must_be("a source of keys or a list of at least one source");
  }
  const auto elements =
      member->value().is_array() ? member->elements() : std::vector<ConfigField>{*member};
  std::vector<KeySource> sources;
  for (const ConfigField& element : elements) {
    const std::optional<KeySource> source = read_key_source(element, files);
    if (!source) continue;
    require_label_of_its_own(element, *source, sources);
    const auto same = std::find_if(sources.begin(), sources.end(), [&](const KeySource& other) {
      return other.name == source->name;
    });
    if (same == sources.end()) {
      sources.push_back(*source);
    } else if (same->label != source->label) {
      element.complain_of("label", "must be '" + same->label +
                                       "', the label of the same file in an earlier entry, got '" +
                                       source->label + "'");
    }
  }
  return sources;
}

}  // namespace bloometry
