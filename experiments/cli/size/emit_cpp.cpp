#include <cctype>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <vector>

#include "core/contract/filter_spec.hpp"
#include "core/rates/sizing.hpp"
#include "core/text.hpp"
#include "experiments/cli/size/emit.hpp"
#include "experiments/cli/terminal/text_table.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

/// Returns a name in CamelCase, such as SplitBlock for split_block.
std::string camel_case(std::string_view words) {
  std::string name;
  bool is_first = true;  // true before the first letter of a word
  for (const char c : words) {
    if (c != '_') {
      name += is_first ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    }
    is_first = c == '_';
  }
  return name;
}

/// Returns the class of the filter, such as bloometry::SplitBlockFilter, or
/// bloometry::BasicStandardFilter<bloometry::IndependentProbes> if the scheme is not the default.
std::string class_of(const SizeAnswer& answer) {
  const std::string filter = camel_case(answer.variant) + "Filter";
  if (answer.probes == find_variant(answer.variant).schemes.front().name) {
    return "bloometry::" + filter;
  }
  return fmt::format("bloometry::Basic{}<bloometry::{}Probes>", filter, camel_case(answer.probes));
}

/// Returns the parameters as an initializer, such as {{"remainder_bits", 14.0}}.
std::string literal_of(const Params& params) {
  std::vector<std::string> items;
  for (const auto& [name, value] : params) {
    const double* const number = std::get_if<double>(&value);
    if (number == nullptr) {
      items.push_back(fmt::format("{{\"{}\", std::string(\"{}\")}}", name, to_string(value)));
    } else {
      const std::string text = shortest_text(*number);
      const bool is_whole = text.find_first_of(".e") == std::string::npos;
      items.push_back(fmt::format("{{\"{}\", {}{}}}", name, text, is_whole ? ".0" : ""));
    }
  }
  return fmt::format("{{{}}}", joined(items));
}

/// Returns the non-empty fields of a spec in order, such as {.num_bits = 9592957, .num_hashes = 7}.
std::string literal_of(const FilterSpec& spec) {
  std::vector<std::string> fields;
  const auto add = [&](const char* name, const auto& value) {
    if (value) fields.push_back(fmt::format(".{} = {}", name, shortest_text(*value)));
  };
  const auto add_count = [&](const char* name, const auto& value) {
    if (value) fields.push_back(fmt::format(".{} = {}", name, *value));
  };
  add_count("capacity", spec.capacity);
  add("target_false_positive_rate", spec.target_false_positive_rate);
  add_count("num_bits", spec.num_bits);
  add_count("num_counters", spec.num_counters);
  add_count("num_hashes", spec.num_hashes);
  if (!spec.params.empty()) fields.push_back(".params = " + literal_of(spec.params));
  return fmt::format("{{{}}}", joined(fields));
}

std::string size_text(const SizeAnswer& answer) {
  const std::string cells =
      counted_cells(answer.num_cells, answer.cell_bits, find_variant(answer.variant).is_limited);
  const std::string memory = memory_text(answer.num_bits());
  if (answer.num_hashes == 0)
    return fmt::format("It begins with {} ({}) and grows.", cells, memory);
  return fmt::format("m = {} ({}), k = {}.", cells, memory, answer.num_hashes);
}

std::string rate_text(const SizeAnswer& answer) {
  if (answer.num_hashes == 0) {
    return fmt::format("False-positive rate: at most {}, for any number of keys.",
                       rounded(answer.rate, 10));
  }
  const bool is_bound = answer.rate_by == name_of(RateKind::kBound);
  const std::string twice =
      answer.rate_at_twice_num_keys
          ? "with twice as many: " + rounded(*answer.rate_at_twice_num_keys, 4)
          : "there is no room for twice as many";
  return fmt::format("Expected false-positive rate with {}: {}{} ({}); {}.",
                     plural(answer.num_keys, "key"), is_bound ? "at most " : "",
                     rounded(answer.rate, 10), answer.rate_by, twice);
}

/// Returns comment lines that describe the filter, its size and the request.
std::string comment_of(const EmittedFilter& filter, const std::string& mark) {
  const SizeAnswer& answer = filter.answer;
  std::string text =
      fmt::format("{}A filter of the variant {} for {}.\n", mark, answer.variant, filter.request);
  if (!filter.choice.empty()) text += fmt::format("{}{}\n", mark, filter.choice);
  text += fmt::format("{}{}\n", mark, size_text(answer));
  return fmt::format("{}{}{}\n", text, mark, rate_text(answer));
}

}  // namespace

std::string emitted_cpp(const EmittedFilter& filter) {
  const std::string name(filter.answer.variant);
  const bool forgets = find_variant(name).can(Operation::kTick);
  return fmt::format(
      "{}"
      "// If untrusted users choose the keys, see \"threat models\" in core/hash/README.md.\n"
      "#include \"core/any_filter/keyed.hpp\"\n"
      "#include \"variants/{}/{}_filter.hpp\"\n"
      "\n"
      "int main() {{\n"
      "  const bloometry::FilterSpec spec{};\n"
      "  bloometry::Keyed<{}> seen(spec);\n"
      "  seen.insert(\"a\");\n"
      "  const bool was_seen = seen.contains(\"a\");  // true may be wrong, {}\n"
      "  return was_seen ? 0 : 1;\n"
      "}}\n",
      comment_of(filter, "// "), name, name, literal_of(filter.answer.spec()),
      class_of(filter.answer), forgets ? "false is right within the window" : "false never is");
}

std::string emitted_cmake(const EmittedFilter& filter) {
  return comment_of(filter, "# ") +
         "# main.cpp is the output of --emit cpp. To use the library's sources instead of an "
         "installation,\n# write add_subdirectory(bloometry) in place of "
         "find_package.\ncmake_minimum_required(VERSION 3.25)\nproject(sized_filter LANGUAGES "
         "CXX)\n\nfind_package(bloometry REQUIRED COMPONENTS filters)\nadd_executable(sized_filter "
         "main.cpp)\ntarget_link_libraries(sized_filter PRIVATE bloometry::filters)\n";
}

}  // namespace bloometry
