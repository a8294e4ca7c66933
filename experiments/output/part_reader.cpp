#include "experiments/output/part_reader.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/error.hpp"
#include "core/file/write_file.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/output/row_check.hpp"
#include "experiments/output/unit_line.hpp"
#include "experiments/text/content_hash.hpp"
#include "experiments/text/shell_text.hpp"

namespace bloometry {
namespace {

/// Copies missing histograms between rows that are otherwise equal. Rows written by older versions
/// have no histograms.
void take_missing_histograms(std::vector<TrialRow>& rows, std::vector<TrialRow>& others) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::uint64_t>& own = rows[i].set_probe_counts;
    std::vector<std::uint64_t>& other = others[i].set_probe_counts;
    if (own.empty()) own = other;
    if (other.empty()) other = own;
  }
}

std::string twice_text(const std::string& unit) {
  return fmt::format("unit {} occurs twice with different rows", unit);
}

/// A scanner that reads the parts one after another and finds units whose results differ between
/// lines.
class PartScanner {
 public:
  PartScanner(std::span<const Unit> units, const LeftOut& left_out, UnitsOfRows* others)
      : left_out_(left_out), others_(others) {
    for (const Unit& unit : units) units_.emplace(unit.id, &unit);
  }

  void read(const std::filesystem::path& part) {
    const bool is_distrusted = left_out_.distrusted.contains(part.filename().string());
    const std::string text = read_file(part);
    contents_.hashes.emplace(part.filename().string(), content_hash(text));
    std::string_view rest = text;
    for (DamagedLine line{.part = part, .number = 1}; !rest.empty(); ++line.number) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      line.is_torn = end == rest.size();
      read_line(line, rest.substr(0, end), is_distrusted);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  /// Returns the contents of all parts that were read.
  PartContents take_contents() {
    std::sort(contents_.damaged.begin(), contents_.damaged.end(),
              [](const DamagedLine& a, const DamagedLine& b) {
                return std::tie(a.part, a.number) < std::tie(b.part, b.number);
              });
    for (auto& [id, found] : found_) {
      if (contents_.finished.contains(id)) contents_.found.push_back(std::move(found));
    }
    return std::move(contents_);
  }

 private:
  struct PartLine {
    std::filesystem::path part;
    std::uint64_t number;
  };

  void read_line(DamagedLine line, std::string_view text, bool is_distrusted) {
    try {
      if (line.is_torn) throw ConfigError("the line must end with a line feed");
      if (is_distrusted)
        throw ConfigError("the part was changed, but the changed lines are unknown");
      accept(line, text);
    } catch (const ConfigError& error) {
      line.unit = unit_named_in(text);
      line.why = error.what();
      contents_.damaged.push_back(std::move(line));
    }
  }

  /// Accepts a line. The checksum is compared after the checks that name the wrong column.
  void accept(const DamagedLine& line, std::string_view text) {
    UnitResult result = from_line(text);
    const std::string id = result.timing.unit;
    const Unit* unit = find_unit(id);
    if (unit == nullptr && left_out_.retired.contains(id)) return;
    if (unit == nullptr && others_ != nullptr) unit = find_by_rows(result);
    if (unit == nullptr) throw ConfigError(fmt::format("unit {} is not part of the config", id));
    require_rows_of(*unit, result.rows);
    require_intact_line(text);
    std::vector<PartLine>& lines = accepted_lines_[unit];
    const bool is_disputed = !lines.empty() && !contents_.finished.contains(id);
    if (is_disputed) throw ConfigError(twice_text(id));
    const auto [found, is_new] = contents_.finished.try_emplace(id, std::move(result));
    if (!is_new) take_missing_histograms(found->second.rows, result.rows);
    if (!is_new && found->second.rows != result.rows) dispute(id, lines);
    lines.push_back({line.part, line.number});
  }

  /// Drops the earlier lines of a unit and throws a ConfigError for the current line.
  [[noreturn]] void dispute(const std::string& id, const std::vector<PartLine>& lines) {
    contents_.finished.erase(id);
    for (const PartLine& line : lines) {
      contents_.damaged.push_back({line.part, line.number, id, twice_text(id)});
    }
    throw ConfigError(twice_text(id));
  }

  /// Returns the id of the unit in a line, or an empty string. The search often succeeds even if
  /// the line cannot be parsed.
  [[nodiscard]] std::string unit_named_in(std::string_view text) const {
    constexpr std::string_view kField = "\"unit\":\"";
    constexpr std::size_t kIdLength = 32;
    for (std::size_t at = text.find(kField); at != std::string_view::npos;
         at = text.find(kField, at + 1)) {
      const Unit* unit = find_unit(text.substr(at + kField.size(), kIdLength));
      if (unit != nullptr) return unit->id;
    }
    return {};
  }

  /// Returns the unit of the config with this id, or null.
  [[nodiscard]] const Unit* find_unit(std::string_view id) const {
    const auto found = units_.find(id);
    return found != units_.end() ? found->second : nullptr;
  }

  /// Returns the unit of a line that the plan does not contain, or null.
  const Unit* find_by_rows(const UnitResult& line) {
    std::optional<UnitsOfRows::Found> found = others_->find(line);
    if (!found) return nullptr;
    const Unit& unit = found_.emplace(line.timing.unit, std::move(*found)).first->second.unit;
    units_.emplace(unit.id, &unit);
    return &unit;
  }

  std::unordered_map<std::string_view, const Unit*> units_;
  std::map<std::string, UnitsOfRows::Found> found_;  // the pointers in units_ refer to it
  PartContents contents_;
  const LeftOut& left_out_;
  UnitsOfRows* others_;
  std::unordered_map<const Unit*, std::vector<PartLine>> accepted_lines_;
};

}  // namespace

std::vector<std::filesystem::path> list_parts(const std::filesystem::path& parts) {
  std::vector<std::filesystem::path> files;
  try {
    for (const auto& entry : std::filesystem::directory_iterator(parts)) {
      if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
    }
  } catch (const std::filesystem::filesystem_error& error) {
    if (error.code() == std::errc::not_a_directory) {
      throw ConfigError(fmt::format("{} must be a folder, got {}", parts.string(),
                                    kind_text(std::filesystem::status(parts).type())));
    }
    throw IoError(fmt::format("cannot list {}: {}", parts.string(), error.code().message()));
  }
  std::sort(files.begin(), files.end());
  return files;
}

PartContents scan_parts(const std::filesystem::path& parts, std::span<const Unit> units,
                        const LeftOut& left_out, UnitsOfRows* others) {
  PartScanner scanner(units, left_out, others);
  for (const std::filesystem::path& part : list_parts(parts)) scanner.read(part);
  return scanner.take_contents();
}

void require_undamaged(std::span<const DamagedLine> damaged) {
  for (const DamagedLine& line : damaged) {
    if (line.is_torn) continue;
    const std::string folder = line.part.parent_path().parent_path().string();
    throw ConfigError(fmt::format("{}, line {}: {}; `bloometry sweep repair {}` drops the line",
                                  line.part.string(), line.number, line.why, shell_word(folder)));
  }
}

PartContents read_parts(const std::filesystem::path& parts, std::span<const Unit> units,
                        const LeftOut& left_out) {
  PartContents contents = scan_parts(parts, units, left_out);
  require_undamaged(contents.damaged);
  return contents;
}

}  // namespace bloometry
