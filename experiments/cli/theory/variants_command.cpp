#include <fmt/core.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/text.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/cli/terminal/fitted_lines.hpp"
#include "experiments/cli/theory/theory_options.hpp"
#include "experiments/workload/key_hash.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

template <class Value>
std::vector<std::string_view> names_of_values(const std::vector<Value>& values) {
  std::vector<std::string_view> names;
  for (const Value value : values) names.push_back(name_of(value));
  return names;
}

std::string range_of(const ParamInfo& param) {
  switch (param.kind) {
    case ParamKind::kInteger:
      if (!param.choices.empty()) return std::string(param.choices);
      return fmt::format("integer, {} to {}", shortest_text(param.min), shortest_text(param.max));
    case ParamKind::kReal:
      return fmt::format("number, {} to {}", shortest_text(param.min), shortest_text(param.max));
    case ParamKind::kText:
      return std::string(param.choices);
    case ParamKind::kIntegerList:
      return fmt::format("list of integers, {} to {}", shortest_text(param.min),
                         shortest_text(param.max));
  }
  return {};
}

std::string default_of(const ParamInfo& param) {
  if (!param.has_default) return "may be left out";
  return "default " + (param.kind == ParamKind::kText ? std::string(param.default_text)
                                                      : shortest_text(param.default_number));
}

void print_schemes(const VariantInfo& variant) {
  std::vector<std::string> followed;
  std::vector<std::string_view> exempt;
  for (const SchemeInfo& scheme : variant.schemes) {
    if (scheme.follows_model) {
      followed.push_back(fmt::format("{} ({})", scheme.name, static_cast<char>(scheme.model)));
    } else {
      exempt.push_back(scheme.name);
    }
  }
  std::cout << "  probes      " << joined(followed) << '\n';
  if (!exempt.empty()) std::cout << "  exempt      " << joined(exempt) << '\n';
  if (!variant.can(Operation::kFold)) return;
  std::vector<std::string_view> unfoldable;
  for (const SchemeInfo& scheme : variant.schemes) {
    if (!scheme.can_fold) unfoldable.push_back(scheme.name);
  }
  if (!unfoldable.empty()) std::cout << "  cannot fold " << joined(unfoldable) << '\n';
}

std::string range_of_k(const VariantInfo& variant) {
  const std::string max = std::to_string(variant.max_num_hashes);
  if (variant.min_num_hashes == variant.max_num_hashes) return max;
  return fmt::format("{} to {}", variant.min_num_hashes, max);
}

void print(const VariantInfo& variant) {
  std::cout << variant.name << ": " << variant.summary << '\n'
            << "  paper       " << variant.paper << '\n'
            << "  operations  " << joined(names_of_values(variant.operations)) << '\n'
            << "  size by     " << joined(names_of_values(variant.size_axes)) << '\n';
  if (!variant.can(Operation::kGrow)) std::cout << "  k           " << range_of_k(variant) << '\n';
  if (variant.is_limited) {
    std::cout << "  room        limited by the size: an insert may find no room"
              << (variant.can_be_grown ? "; `filter grow` doubles the room\n" : "\n");
  }
  print_schemes(variant);
  std::cout << "  rate given its state: " << variant.rate_given_state << '\n';
  for (const ParamInfo& param : variant.params) {
    std::cout << "  --param " << param.name << "  " << range_of(param) << "; " << default_of(param)
              << "\n      " << param.meaning << '\n';
  }
  std::cout << '\n';
}

std::string_view kind_name(ParamKind kind) {
  switch (kind) {
    case ParamKind::kInteger:
      return "integer";
    case ParamKind::kReal:
      return "number";
    case ParamKind::kText:
      return "text";
    case ParamKind::kIntegerList:
      return "integer_list";
  }
  return {};
}

nlohmann::ordered_json to_json(const ParamInfo& param) {
  nlohmann::ordered_json json = {
      {"name", param.name}, {"kind", kind_name(param.kind)}, {"meaning", param.meaning}};
  if (param.kind == ParamKind::kText) {
    std::string_view choices = param.choices;
    for (std::size_t bar = 0; bar != std::string_view::npos;) {
      bar = choices.find('|');
      json["choices"].push_back(choices.substr(0, bar));
      if (bar != std::string_view::npos) choices.remove_prefix(bar + 1);
    }
  } else {
    json["min"] = param.min;
    json["max"] = param.max;
  }
  json["default"] = nullptr;
  if (param.has_default && param.kind == ParamKind::kText) json["default"] = param.default_text;
  if (param.has_default && param.kind != ParamKind::kText) json["default"] = param.default_number;
  return json;
}

nlohmann::ordered_json to_json(const VariantInfo& variant) {
  nlohmann::ordered_json json = {{"name", variant.name},
                                 {"summary", variant.summary},
                                 {"paper", variant.paper},
                                 {"operations", names_of_values(variant.operations)},
                                 {"size_axes", names_of_values(variant.size_axes)},
                                 {"min_num_hashes", variant.min_num_hashes},
                                 {"max_num_hashes", variant.max_num_hashes},
                                 {"is_limited", variant.is_limited},
                                 {"can_be_grown", variant.can_be_grown},
                                 {"rate_given_state", variant.rate_given_state},
                                 {"params", nlohmann::ordered_json::array()},
                                 {"probes", nlohmann::ordered_json::array()}};
  for (const ParamInfo& param : variant.params) json["params"].push_back(to_json(param));
  for (const SchemeInfo& scheme : variant.schemes) {
    json["probes"].push_back({{"name", scheme.name},
                              {"model", std::string(1, static_cast<char>(scheme.model))},
                              {"follows_model", scheme.follows_model},
                              {"can_fold", scheme.can_fold}});
  }
  return json;
}

/// Returns the names of the weak hash families, or of the strong hash families.
std::vector<std::string_view> hash_names(bool is_weak) {
  std::vector<std::string_view> names;
  for (const KeyHash& hash : all_key_hashes()) {
    if (hash.is_weak == is_weak) names.push_back(hash.name);
  }
  return names;
}

nlohmann::ordered_json hashes_to_json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const KeyHash& hash : all_key_hashes()) {
    list.push_back({{"name", hash.name}, {"seeded", hash.is_seeded}, {"weak", hash.is_weak}});
  }
  return list;
}

}  // namespace

int variants_command(bool json) {
  if (json) {
    nlohmann::ordered_json list = {{"variants", nlohmann::ordered_json::array()}};
    for (const VariantInfo& variant : all_variant_infos()) {
      list["variants"].push_back(to_json(variant));
    }
    list["hashes"] = hashes_to_json();
    std::cout << list.dump(2) << '\n';
    return kDone;
  }
  const FittedLines fitted(std::cout);
  for (const VariantInfo& variant : all_variant_infos()) print(variant);
  std::cout << "Probe models: W with replacement, D distinct, P partitioned. Exempt schemes "
               "depart from their model by design; verify does not test them.\n"
            << "Hashes: " << joined(hash_names(false))
            << ". Weak hashes, which are exempt: " << joined(hash_names(true))
            << "; verify does not test them either.\n";
  return kDone;
}

}  // namespace bloometry
