// Finds the places of the repository in which a variant of the registry is missing. Every other
// place derives its names from the registry or from the list in variants/CMakeLists.txt.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/text.hpp"
#include "test_folders.hpp"
#include "tests/support/catch.hpp"
#include "variants/registry/registry.hpp"

using namespace bloometry;

namespace {

namespace fs = std::filesystem;

fs::path in_root(const std::string& path) {
  return fs::path(test::kRootFolder) / path;
}

std::string text_of(const std::string& path) {
  std::ifstream file(in_root(path));
  INFO(path);
  REQUIRE(file);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Returns the trimmed cells of a row of a Markdown table, or an empty list for another line.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  if (!line.starts_with("|")) return cells;
  std::istringstream rest(line.substr(1));
  for (std::string cell; std::getline(rest, cell, '|');) cells.push_back(trimmed(cell));
  return cells;
}

/// Returns the row of the table with the given first title whose first cell is `first`, or an empty
/// list.
std::vector<std::string> row_of(const std::string& path, const std::string& title,
                                const std::string& first) {
  std::istringstream text(text_of(path));
  bool is_in_table = false;
  for (std::string line; std::getline(text, line);) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.empty()) is_in_table = false;
    if (cells.empty()) continue;
    if (cells.front() == title) is_in_table = true;
    if (is_in_table && cells.front() == first) return cells;
  }
  return {};
}

std::string missing(const std::string& name, const std::string& place) {
  return "variant " + name + " is missing in " + place;
}

constexpr const char* kRegenerate = "; run tests/regenerate.sh";

/// Returns the operations beyond insert and contains.
std::set<std::string> operations_of(const VariantInfo& variant) {
  std::set<std::string> names;
  for (const Operation operation : variant.operations) names.emplace(name_of(operation));
  names.erase("insert");
  names.erase("contains");
  return names;
}

std::set<std::string> items_of(const std::string& list) {
  std::set<std::string> items;
  std::istringstream rest(list);
  for (std::string item; std::getline(rest, item, ',');) items.insert(trimmed(item));
  return items;
}

std::string fault_of_root_readme(const VariantInfo& variant) {
  const std::string name(variant.name);
  const auto row =
      row_of("README.md", "variant", "[" + name + "](variants/" + name + "/README.md)");
  if (row.empty()) return missing(name, "README.md, table of variants");
  const auto expected = [](bool can) { return std::string(can ? "yes" : ""); };
  const bool agrees = row.size() == 5 && row[2] == expected(variant.can(Operation::kErase)) &&
                      row[3] == expected(variant.can(Operation::kGrow));
  return agrees ? "" : "README.md, table of variants: wrong columns erase and grows of " + name;
}

std::string fault_of_variants_readme(const VariantInfo& variant) {
  const std::string name(variant.name);
  const auto row = row_of("variants/README.md", "variant", name);
  if (row.empty()) return missing(name, "variants/README.md, table of variants");
  if (row.size() == 5 && items_of(row[2]) == operations_of(variant)) return "";
  return "variants/README.md, table of variants: the operations of " + name + " must be " +
         joined(operations_of(variant));
}

std::string fault_of_core_readme(const VariantInfo& variant) {
  const std::string name(variant.name);
  std::istringstream text(text_of("core/README.md"));
  for (std::string line; std::getline(text, line);) {
    const std::vector<std::string> cells = cells_of(line);
    if (!cells.empty() && items_of(cells.front()).contains("variants/" + name)) return "";
  }
  return missing(name, "core/README.md, table of folders");
}

/// Returns a fault unless a file contains the text, where "" stands for any text.
std::string fault_of_file(const std::string& name, const std::string& path, const std::string& text,
                          const char* advice = "") {
  if (!fs::exists(in_root(path))) return missing(name, path) + " (no such file)" + advice;
  const bool has_text = text.empty() || text_of(path).find(text) != std::string::npos;
  return has_text ? "" : missing(name, path) + advice;
}

std::vector<std::string> faults_of(const VariantInfo& variant) {
  const std::string name(variant.name);
  const std::string quoted = '"' + name + '"';
  const std::string folder = "variants/" + name + "/";
  std::vector<std::string> faults = {
      fault_of_root_readme(variant),
      fault_of_variants_readme(variant),
      fault_of_core_readme(variant),
      fault_of_file(name, folder + "README.md", ""),
      fault_of_file(name, "tests/variants/" + name + "_filter_test.cpp", ""),
      fault_of_file(name, "experiments/configs/smoke/" + name + ".json", quoted),
      fault_of_file(name, "experiments/configs/schema.json", quoted, kRegenerate),
      fault_of_file(name, "tests/golden/filters/" + name + ".bloom", "", kRegenerate)};
  if (!variant.can(Operation::kGrow)) {
    const std::string scheme(variant.schemes.front().name);
    faults.push_back(
        fault_of_file(name, "tests/fuzz/corpus/bloometry/" + name + "_" + scheme, "", kRegenerate));
  }
  std::erase(faults, "");
  return faults;
}

}  // namespace

TEST_CASE("places: every variant of the registry is in every list of variants",
          "[variants][registry]") {
  for (const VariantInfo& variant : all_variant_infos()) {
    for (const std::string& fault : faults_of(variant)) FAIL_CHECK(fault);
  }
}

TEST_CASE("places: every variant of variants/CMakeLists.txt is in the registry",
          "[variants][registry]") {
  std::istringstream folders(test::kVariantFolders);
  std::set<std::string> built;
  for (std::string name; std::getline(folders, name, ' ');) built.insert(name);
  for (const VariantInfo& variant : all_variant_infos()) {
    const std::string name(variant.name);
    if (built.erase(name) == 0) FAIL_CHECK(missing(name, "variants/CMakeLists.txt"));
  }
  for (const std::string& name : built) {
    FAIL_CHECK(missing(name, "variants/registry/all_variants.hpp"));
  }
}
