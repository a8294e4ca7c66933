#include "experiments/plan/json_document.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/core.h>
#include <optional>
#include <utility>

#include "experiments/plan/config.hpp"
#include "experiments/text/number_notation.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxDepth = 64;

/// Returns the position of the byte before `position` as text, for example `line 3, column 5`.
std::string place_of(std::string_view text, std::size_t position) {
  const std::string_view head = text.substr(0, position > 0 ? position - 1 : 0);
  const auto line = 1 + std::count(head.begin(), head.end(), '\n');
  const std::size_t last_newline = head.rfind('\n');
  const std::size_t column =
      head.size() - (last_newline == std::string_view::npos ? 0 : last_newline + 1) + 1;
  return fmt::format("line {}, column {}", line, column);
}

/// A parser handler that builds the value, and records names that occur twice in one object.
class DocumentBuilder : public Json::json_sax_t {
 public:
  explicit DocumentBuilder(std::string_view text) : text_(text) {}

  bool null() override { return add(nullptr) != nullptr; }

  bool boolean(bool value) override { return add(value) != nullptr; }

  bool number_integer(number_integer_t value) override { return add(value) != nullptr; }

  bool number_unsigned(number_unsigned_t value) override { return add(value) != nullptr; }

  /// Adds a whole number such as 1e19 as an integer, because a double may round it.
  bool number_float(number_float_t value, const string_t& text) override {
    if (const std::optional<std::uint64_t> whole = read_whole(text)) return add(*whole) != nullptr;
    return add(value) != nullptr;
  }

  bool string(string_t& value) override { return add(std::move(value)) != nullptr; }

  bool binary(binary_t& /*value*/) override { return false; }

  bool start_object(std::size_t /*size*/) override { return open(Json::object()); }

  bool start_array(std::size_t /*size*/) override { return open(Json::array()); }

  bool end_object() override { return close(); }

  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Level& level = levels_.back();
    if (level.value->contains(name)) {
      document.problems.add([&] {
        return fmt::format(
            "{}: has \"{}\" twice",
            level.pointer.empty() ? "config" : printable(level.pointer, kMaxShownPointer),
            printable(name, kMaxShownValue));
      });
    }
    level.name = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const Json::exception& error) override {
    throw ConfigFileError(
        {fmt::format("{}: must be JSON: {}", place_of(text_, position), reason_of(error))});
  }

  JsonDocument document;

 private:
  struct Level {
    Json* value;
    std::string pointer;
    std::string name{};  // name of the next member
  };

  Json* add(Json value) {
    if (levels_.empty()) return &(document.value = std::move(value));
    Json& parent = *levels_.back().value;
    if (parent.is_object()) return &(parent[levels_.back().name] = std::move(value));
    parent.push_back(std::move(value));
    return &parent.back();
  }

  bool open(Json container) {
    std::string pointer = pointer_of_next();
    if (levels_.size() == kMaxDepth) {
      throw ConfigFileError({fmt::format("must have at most {} levels, got more at {}", kMaxDepth,
                                         printable(pointer, kMaxShownPointer))});
    }
    Json* value = add(std::move(container));
    levels_.push_back({value, std::move(pointer)});
    return true;
  }

  bool close() {
    levels_.pop_back();
    return true;
  }

  [[nodiscard]] std::string pointer_of_next() const {
    if (levels_.empty()) return {};
    const Level& level = levels_.back();
    return pointer_to(level.pointer,
                      level.value->is_object() ? level.name : std::to_string(level.value->size()));
  }

  std::string_view text_;
  std::vector<Level> levels_;
};

}  // namespace

std::string reason_of(const nlohmann::json::exception& error) {
  constexpr std::size_t kMaxReason = 250;
  std::string_view what = error.what();
  const std::size_t syntax = what.find("syntax error");
  const std::size_t dash = what.find(" - ", syntax);
  const std::size_t bracket = what.find("] ");
  if (syntax != std::string_view::npos && dash != std::string_view::npos) {
    what.remove_prefix(dash + 3);
  } else if (bracket != std::string_view::npos) {
    what.remove_prefix(bracket + 2);
  }
  std::string reason = printable(what, kMaxReason);
  for (std::size_t end = reason.find("; "); end != std::string::npos;
       end = reason.find("; ", end)) {
    reason[end] = ',';
  }
  return reason;
}

JsonDocument parse_json(std::string_view text) {
  DocumentBuilder builder(text);
  Json::sax_parse(text.begin(), text.end(), &builder);
  return std::move(builder.document);
}

std::string shown_json(const Json& value) {
  return printable(value.dump(-1, ' ', false, Json::error_handler_t::replace), kMaxShownValue);
}

std::string pointer_to(std::string_view parent, std::string_view name) {
  std::string pointer(parent);
  pointer += '/';
  for (const char c : name) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
  return pointer;
}

}  // namespace bloometry
