#include "experiments/plan/key_source_fields.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "experiments/plan/field_table.hpp"
#include "experiments/plan/plan_limits.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/text/printable.hpp"
#include "experiments/workload/key_patterns.hpp"
#include "experiments/workload/line_file.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view kFilePrefix = "file:";

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
  if (given) source.content_hash = any_text().read(*given).value_or("");
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

ConfigValue<std::string> key_file_path() {
  return text_where(
      "the path of a file of keys",
      [](const std::string& path) { return !path.empty() && path.find('\0') == path.npos; },
      {{"minLength", 1}});
}

ConfigValue<std::string> key_label() {
  const auto is_label = [](const std::string& label) {
    return !label.empty() && label.size() <= kMaxKeyLabelBytes &&
           printable(label, kMaxKeyLabelBytes) == label;
  };
  return text_where(
      fmt::format("a string of 1 to {} bytes without control characters", kMaxKeyLabelBytes),
      is_label, {{"minLength", 1}, {"maxLength", kMaxKeyLabelBytes}});
}

/// Returns the field `file`, which determines the name and the path of the source. The path is
/// empty if the field is missing or invalid.
FieldOf<KeySource> file_field(const KeyFileAccess& files) {
  FieldOf<KeySource> field =
      required_field("file", &KeySource::path, key_file_path(),
                     "One key per line, also compressed by gzip or zstd; the path is relative to "
                     "the config's folder");
  field.read = [read = field.read, files](const ConfigField& object, KeySource& source) {
    read(object, source);
    if (source.path.empty()) return;
    source.kind = KeySource::Kind::kFile;
    source.name = std::string(kFilePrefix) + source.path;
    source.path = (files.base / source.path).string();
  };
  field.write = [](const KeySource& source, Json& json) {
    json["file"] = source.name.substr(kFilePrefix.size());
  };
  return field;
}

/// Returns the field with a function that reads it only if the source has a file.
FieldOf<KeySource> of_file(FieldOf<KeySource> field) {
  field.read = [read = field.read](const ConfigField& object, KeySource& source) {
    if (!source.path.empty()) read(object, source);
  };
  return field;
}

/// Returns the fields of a key file. The content is compared with its hash after all fields are
/// read.
FieldTable<KeySource> file_fields(const KeyFileAccess& files) {
  FieldOf<KeySource> content_hash = default_field(
      "content_hash", &KeySource::content_hash, text_where({}, {}, {{"pattern", "^[0-9a-f]{32}$"}}),
      "XXH3-128 of the decompressed text; a file with other text is rejected");
  content_hash.read = nullptr;
  return {
      file_field(files), content_hash,
      of_file(optional_field(
          "label", &KeySource::label, key_label(),
          fmt::format("Name of these keys in charts, at most {} bytes; default: the file's name",
                      kMaxKeyLabelBytes))),
      of_file({.read = [files](const ConfigField& object, KeySource& source) {
        read_content(object, files, source);
      }})};
}

FieldTable<KeySource> zipf_fields() {
  return {required_field(
      "zipf", &KeySource::zipf_exponent,
      real_number({.min = 0, .max = kMaxZipfExponent, .has_min = false}),
      "Random keys; queries of absent keys follow a Zipf distribution with this exponent")};
}

std::optional<KeySource> read_zipf_keys(const ConfigField& field) {
  check_names(field, zipf_fields());
  KeySource source = read_fields(field, zipf_fields());
  if (source.zipf_exponent == 0) return std::nullopt;
  source.kind = KeySource::Kind::kZipf;
  source.name = std::string(kZipfPrefix) + number_text(source.zipf_exponent);
  return source;
}

std::optional<KeySource> read_key_file(const ConfigField& field, const KeyFileAccess& files) {
  check_names(field, file_fields(files));
  KeySource source = read_fields(field, file_fields(files));
  return source.path.empty() ? std::nullopt : std::optional(std::move(source));
}

std::optional<KeySource> read_key_source(const ConfigField& field, const KeyFileAccess& files) {
  if (field.member("zipf")) return read_zipf_keys(field);
  if (field.value().is_object()) return read_key_file(field, files);
  for (const KeySource& source : synthetic_sources()) {
    if (field.value() == source.name) return source;
  }
  field.complain_must_be(fmt::format("one of {}, {{\"zipf\": exponent}} or {{\"file\": path}}",
                                     joined(synthetic_key_names())));
  return std::nullopt;
}

Json write_key_source(const KeySource& source) {
  if (source.kind == KeySource::Kind::kZipf) return write_fields(source, zipf_fields());
  if (source.kind == KeySource::Kind::kFile) return write_fields(source, file_fields({}));
  return source.name;
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
    field.complain_of("label",
                      fmt::format("must not be the name of other keys, got '{}'", source.label));
  }
  for (const KeySource& other : others) {
    if (other.name == source.name || other.label != source.label) continue;
    field.complain_of(
        "label", fmt::format("must differ from that of {}, got '{}'", other.name, source.label));
  }
}

std::vector<KeySource> read_key_sources(const ConfigField& field, const KeyFileAccess& files) {
  const bool is_list = field.value().is_array();
  if (is_list && field.value().empty()) {
    field.complain_must_be("a source of keys or a list of at least one source");
  }
  std::vector<KeySource> sources;
  for (const ConfigField& element : is_list ? field.elements() : std::vector{field}) {
    const std::optional<KeySource> source = read_key_source(element, files);
    if (!source) continue;
    require_label_of_its_own(element, *source, sources);
    const auto same = std::find_if(sources.begin(), sources.end(), [&](const KeySource& other) {
      return other.name == source->name;
    });
    if (same == sources.end()) {
      sources.push_back(*source);
    } else if (same->label != source->label) {
      element.complain_of(
          "label",
          fmt::format("must be '{}', the label of the same file in an earlier entry, got '{}'",
                      same->label, source->label));
    }
  }
  return sources;
}

}  // namespace

std::vector<std::string> synthetic_key_names() {
  std::vector<std::string> names;
  for (const KeySource& source : synthetic_sources()) names.push_back(source.name);
  return names;
}

ConfigValue<KeySource> key_source_value(const KeyFileAccess& files) {
  return {.allowed = "a source of keys",
          .read = [files](const ConfigField& field) { return read_key_source(field, files); },
          .write = write_key_source,
          .schema = []() -> OrderedJson {
            return {{"oneOf",
                     {one_of(synthetic_key_names()).schema(), schema_of(zipf_fields()),
                      schema_of(file_fields({}))}}};
          }};
}

ConfigValue<std::vector<KeySource>> key_sources_value(const KeyFileAccess& files) {
  ConfigValue<std::vector<KeySource>> value =
      list_of(defined_as("key_source", key_source_value(files)), "a source of keys", 1);
  value.read = [files](const ConfigField& field) {
    return std::optional(read_key_sources(field, files));
  };
  value.schema = [] { return one_or_list(reference_to("key_source")); };
  return value;
}

}  // namespace bloometry
