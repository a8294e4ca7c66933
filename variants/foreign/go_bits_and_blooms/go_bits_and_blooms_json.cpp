#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.hpp"
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
    expect('{');
    do {
      read_member();
    } while (accepts(','));
    expect('}');
    skip_space();
    if (at_ < text_.size()) refuse("must end after its object");
    if (!m || !k || !b) refuse("must have the fields m, k and b");
  }

  std::optional<std::uint64_t> m{};
  std::optional<std::uint64_t> k{};
  std::optional<std::string_view> b{};

 private:
  void read_member() {
    const std::string_view name = text_value();
    expect(':');
    if (name == "m") return set(m, number());
    if (name == "k") return set(k, number());
    if (name == "b") return set(b, text_value());
    refuse("must have only the fields m, k and b");
  }

  template <class Value>
  void set(std::optional<Value>& field, Value value) {
    if (field) refuse("must have each field once");
    field = value;
  }

  std::string_view text_value() {
    expect('"');
    const std::size_t first = at_;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\') refuse("must not have escapes in a text");
      ++at_;
    }
    const std::string_view value = text_.substr(first, at_ - first);
    if (!accepts('"')) refuse("must close its texts");
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
      refuse("must have whole numbers in [0, 2^64 - 1] for m and k");
    }
    at_ += static_cast<std::size_t>(end - first);
    return value;
  }

  void expect(char letter) {
    if (!accepts(letter)) refuse(R"(must be {"m":...,"k":...,"b":"..."})");
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

  [[noreturn]] void refuse(const std::string& what) const {
    throw ConfigError(kField, what + ", got something else at byte " + std::to_string(at_));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

GoBitsAndBloomsFilter GoBitsAndBloomsFilter::parse_json(std::string_view text) {
  Reader reader(text);
  reader.read();
  const std::optional<std::string> bit_set = bytes_of_base64_url(*reader.b);
  if (!bit_set) {
    throw ConfigError(kField, "must have padded base64 of the URL alphabet for b, got " +
                                  std::to_string(reader.b->size()) + " bytes that are not");
  }
  return from_parts(kField, *reader.m, *reader.k, *bit_set);
}

std::string GoBitsAndBloomsFilter::serialize_json() const {
  return R"({"m":)" + std::to_string(num_bits()) + ",\"k\":" + std::to_string(num_hashes_) +
         ",\"b\":\"" + base64_url(bit_set()) + "\"}";
}

}  // namespace bloometry
