#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "variants/foreign/go_bits_and_blooms/base64_url.hpp"
#include "variants/foreign/go_bits_and_blooms/go_bits_and_blooms_filter.hpp"

namespace bloometry {
namespace {

constexpr const char* kField = "go_bits_and_blooms JSON";

/// Parser of the format's JSON object, which contains two whole numbers and a string without
/// escapes. A full JSON parser would be an additional dependency of the filters.
class Reader {
 public:
  explicit Reader(std::string_view text) noexcept : text_(text) {}

  void read() {
    expect('{', "'{'");
    do {
      read_member();
    } while (accepts(','));
    expect('}', "',' or '}'");
    skip_space();
    if (at_ < text_.size()) refuse("must end after its object", here(), at_);
    require_all_fields();
  }

  std::optional<std::uint64_t> m{};
  std::optional<std::uint64_t> k{};
  std::optional<std::string_view> b{};

 private:
  void read_member() {
    skip_space();
    const std::size_t first = at_;
    const std::string_view name = string_value();
    expect(':', "':'");
    if ((name == "m" && m) || (name == "k" && k) || (name == "b" && b)) {
      refuse("must have each field once", quoted(name) + " again", first);
    }
    if (name == "m") {
      m = number();
    } else if (name == "k") {
      k = number();
    } else if (name == "b") {
      b = string_value();
    } else {
      refuse("must have only the fields m, k and b", quoted(name), first);
    }
  }

  void require_all_fields() const {
    std::vector<std::string> given;
    if (m) given.emplace_back("m");
    if (k) given.emplace_back("k");
    if (b) given.emplace_back("b");
    if (given.size() == 3) return;
    throw ConfigError(kField, "must have the fields m, k and b, got only " + joined(given));
  }

  std::string_view string_value() {
    expect('"', "'\"'");
    const std::size_t first = at_;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\') refuse("must not have escapes in strings", here(), at_);
      ++at_;
    }
    const std::string_view value = text_.substr(first, at_ - first);
    if (!accepts('"')) refuse("must close its strings", here(), at_);
    return value;
  }

  std::uint64_t number() {
    skip_space();
    const char* first = text_.data() + at_;
    const char* last = text_.data() + text_.size();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(first, last, value);
    const bool has_leading_zero = end - first > 1 && *first == '0';
    if (error != std::errc{} || has_leading_zero) {
      refuse("must have whole numbers in [0, 2^64 - 1] for m and k", "'" + next_word() + "'", at_);
    }
    at_ += static_cast<std::size_t>(end - first);
    return value;
  }

  void expect(char letter, const std::string& allowed) {
    if (!accepts(letter)) refuse("must have " + allowed, here(), at_);
  }

  bool accepts(char letter) noexcept {
    skip_space();
    if (at_ == text_.size() || text_[at_] != letter) return false;
    ++at_;
    return true;
  }

  void skip_space() noexcept {
    constexpr std::string_view kSpace = " \t\r\n";
    while (at_ < text_.size() && kSpace.find(text_[at_]) != std::string_view::npos) ++at_;
  }

  /// Returns the next byte in quotes.
  [[nodiscard]] std::string here() const {
    return at_ == text_.size() ? "the end" : "'" + std::string(text_.substr(at_, 1)) + "'";
  }

  /// Returns the beginning of a name in quotes, because a file may contain long names.
  [[nodiscard]] static std::string quoted(std::string_view name) {
    return "\"" + std::string(name.substr(0, kMostShown)) +
           (name.size() > kMostShown ? "...\"" : "\"");
  }

  /// Returns the bytes before the next comma, bracket or space, at most kMostShown.
  [[nodiscard]] std::string next_word() const {
    const std::string_view rest = text_.substr(at_, kMostShown);
    return std::string(rest.substr(0, rest.find_first_of(",}] \t\r\n")));
  }

  [[noreturn]] static void refuse(const std::string& what, const std::string& got, std::size_t at) {
    throw ConfigError(kField, what + ", got " + got + " at byte " + std::to_string(at));
  }

  static constexpr std::size_t kMostShown = 40;  // bytes of the file in an error message

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

GoBitsAndBloomsFilter GoBitsAndBloomsFilter::parse_json(std::string_view text) {
  Reader reader(text);
  reader.read();
  const std::optional<std::string> bit_set = bytes_of_base64_url(*reader.b);
  if (!bit_set) {
    throw ConfigError(kField, "must have padded base64url in b, got " +
                                  std::to_string(reader.b->size()) +
                                  " bytes that cannot be decoded");
  }
  return from_parts(kField, *reader.m, *reader.k, *bit_set);
}

std::string GoBitsAndBloomsFilter::serialize_json() const {
  return R"({"m":)" + std::to_string(num_bits()) + ",\"k\":" + std::to_string(num_hashes_) +
         ",\"b\":\"" + base64_url(bit_set()) + "\"}";
}

}  // namespace bloometry
