#include "variants/foreign/dcso/dcso_filter.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "core/contract/compatible.hpp"
#include "core/error.hpp"
#include "core/hash/little_endian.hpp"
#include "core/rates/cardinality.hpp"
#include "core/store/unused_bits.hpp"
#include "core/store/word_bytes.hpp"
#include "core/study_hash/fnv1_hasher.hpp"
#include "core/text.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kVersion = 1;
constexpr std::uint64_t kHeaderBytes = 48;
/// The largest prime below 2^64, and the factor of the generator. The authors chose the factor to
/// generate all residues modulo the prime.
constexpr std::uint64_t kPrime = 18446744073709551557U;
constexpr std::uint64_t kFactor = 18446744073709550147U;

ConfigError refused_file(const std::string& what, const std::string& got) {
  return {"dcso file", "must have " + what + ", got " + got};
}

/// Returns the error for an argument of the constructor. The message contains the parameter's name
/// in this project, and not the letter.
ConfigError refused_argument(std::string_view letter, const std::string& allowed,
                             const std::string& got) {
  const std::string field = letter == "n"   ? "capacity"
                            : letter == "p" ? "target_false_positive_rate"
                            : letter == "k" ? "num_hashes"
                                            : "num_bits";
  return {field, "must be " + allowed + ", got " + got};
}

/// Returns the error for a field of a file.
ConfigError refused_field(const std::string& letter, const std::string& allowed,
                          const std::string& got) {
  const std::string article = letter == "n" || letter == "m" ? "an " : "a ";
  const std::string of = allowed.starts_with("in ") ? " " : " of ";
  return refused_file(article + letter + of + allowed, got);
}

/// Returns the parameters. Throws refused(letter, allowed values, value) for the first parameter
/// that is out of range.
template <class Refused>
const DcsoFilter::Parameters& checked_as(const DcsoFilter::Parameters& parameters,
                                         Refused refused) {
  const double p = parameters.false_positive_rate;
  if (parameters.capacity == 0) throw refused("n", "at least 1", "0");
  if (!(p > 0 && p < 1)) throw refused("p", "in (0, 1)", shortest_text(p));
  if (parameters.num_hashes - 1 >= DcsoFilter::kMaxHashes) {
    throw refused("k", "in [1, " + std::to_string(DcsoFilter::kMaxHashes) + "]",
                  std::to_string(parameters.num_hashes));
  }
  if (parameters.num_bits == 0) throw refused("m", "at least 1", "0");
  return parameters;
}

/// Computes the indices of a key in order.
class Indices {
 public:
  Indices(std::string_view key, std::uint64_t num_bits) noexcept
      : hash_(fnv1_64(key) % kPrime), num_bits_(num_bits) {}

  std::uint64_t next() noexcept {
    hash_ = hash_ * kFactor % kPrime;
    return hash_ % num_bits_;
  }

 private:
  std::uint64_t hash_;
  std::uint64_t num_bits_;
};

/// Checks the header.
/// @throws ConfigError if the bytes do not start with a header, or if the file is compressed.
void require_header(std::string_view bytes) {
  if (bytes.starts_with("\x1f\x8b")) {
    throw ConfigError("dcso file", "must not be compressed, got gzip: use gunzip first");
  }
  if (bytes.size() < kHeaderBytes)
    throw refused_file("at least 48 bytes", std::to_string(bytes.size()));
  const auto version = load_little_endian<std::uint64_t>(bytes.data());
  if (version != kVersion) throw refused_file("version 1", std::to_string(version));
}

void require_unused_bits_clear(const BitArray<>& bits) {
  const std::optional<std::uint64_t> bit = first_unused_bit_set(bits.words(), bits.size());
  if (!bit) return;
  throw ConfigError("dcso file", "must not have bits set from bit " + std::to_string(bits.size()) +
                                     " on, got bit " + std::to_string(*bit));
}

/// Returns the estimate of the number of items from the set bits, clipped to [least, most].
std::uint64_t estimated_items(const DcsoFilter& filter, std::uint64_t least, std::uint64_t most) {
  const double estimate =
      count_given_ones(ProbeModel::kWithReplacement, filter.bits().count(), filter.num_bits(),
                       static_cast<unsigned>(filter.num_hashes()));
  return clipped_count(estimate, least, most);
}

/// Returns the least number of items that set the bits.
std::uint64_t least_items(const DcsoFilter& filter) {
  const std::uint64_t num_ones = filter.bits().count();
  const std::uint64_t k = filter.num_hashes();
  return num_ones / k + (num_ones % k == 0 ? 0 : 1);
}

/// Checks the number of items N. Without a set bit, N is 0. N may exceed the number of set bits,
/// because the program's Join adds the N of both filters. N may also be too small for the set bits,
/// because an intersection has bits of keys that it does not contain.
void require_possible_items(const DcsoFilter& filter) {
  if (filter.num_items() == 0 || filter.bits().count() > 0) return;
  throw refused_file("an N of 0, because no bit is set", std::to_string(filter.num_items()));
}

}  // namespace

DcsoFilter::DcsoFilter(const Parameters& parameters)
    : parameters_(checked(parameters)), bits_(parameters.num_bits) {}

const DcsoFilter::Parameters& DcsoFilter::checked(const Parameters& parameters) {
  return checked_as(parameters, refused_argument);
}

DcsoFilter::Parameters DcsoFilter::parameters_for(std::uint64_t capacity,
                                                  double false_positive_rate) {
  const double p = false_positive_rate;
  // The parameters n and p are checked before m, which is computed from n and p.
  checked({.capacity = capacity, .false_positive_rate = p, .num_hashes = 1, .num_bits = 1});
  const double n = static_cast<double>(capacity);
  const double ln2 = std::log(2.0);
  const double m = std::abs(std::ceil(n * std::log(p) / (ln2 * ln2)));
  if (!(m < 0x1p62)) throw refused_argument("m", "below 2^62", shortest_text(m));
  return checked({.capacity = capacity,
                  .false_positive_rate = p,
                  .num_hashes = static_cast<std::uint64_t>(std::ceil(ln2 * m / n)),
                  .num_bits = static_cast<std::uint64_t>(m)});
}

DcsoFilter DcsoFilter::for_capacity(std::uint64_t capacity, double false_positive_rate) {
  return DcsoFilter(parameters_for(capacity, false_positive_rate));
}

DcsoFilter DcsoFilter::parse(std::string_view bytes) {
  require_header(bytes);
  const auto field = [&](std::size_t i) {
    return load_little_endian<std::uint64_t>(bytes.data() + 8 * i);
  };
  const Parameters parameters = checked_as({.capacity = field(1),
                                            .false_positive_rate = std::bit_cast<double>(field(2)),
                                            .num_hashes = field(3),
                                            .num_bits = field(4)},
                                           refused_field);
  const std::string_view rest = bytes.substr(kHeaderBytes);
  const std::uint64_t num_words = BitArray<>::num_words_for(parameters.num_bits);
  if (num_words > rest.size() / 8) {
    throw refused_file("an m of at most " + std::to_string(rest.size() / 8 * 64) +
                           ", the number of bits after the header",
                       std::to_string(parameters.num_bits));
  }
  DcsoFilter filter(parameters);
  read_word_bytes(rest.substr(0, 8 * num_words), filter.bits_.words());
  require_unused_bits_clear(filter.bits_);
  filter.num_items_ = field(5);
  require_possible_items(filter);
  filter.data_ = rest.substr(8 * num_words);
  return filter;
}

bool DcsoFilter::insert(std::string_view key) noexcept {
  Indices indices(key, num_bits());
  bool changed = false;
  for (std::uint64_t i = 0; i < num_hashes(); ++i) changed |= bits_.set(indices.next());
  if (changed) ++num_items_;
  return changed;
}

bool DcsoFilter::contains(std::string_view key) const noexcept {
  Indices indices(key, num_bits());
  for (std::uint64_t i = 0; i < num_hashes(); ++i) {
    if (!bits_.test(indices.next())) return false;
  }
  return true;
}

void DcsoFilter::merge(const DcsoFilter& other) {
  require_like(other);
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t larger = std::max(num_items_, other.num_items_);
  const std::uint64_t rest = std::min(num_items_, other.num_items_);
  bits_.merge(other.bits_);
  num_items_ = estimated_items(*this, std::max(larger, least_items(*this)),
                               rest > kMost - larger ? kMost : larger + rest);
}

void DcsoFilter::intersect(const DcsoFilter& other) {
  require_like(other);
  const std::uint64_t num_ones = bits_.count();
  bits_.intersect(other.bits_);
  num_items_ = common_count_given_ones(num_ones, other.bits_.count(), bits_.count(), num_bits(),
                                       static_cast<unsigned>(num_hashes()),
                                       std::min(num_items_, other.num_items_));
}

void DcsoFilter::require_like(const DcsoFilter& other) const {
  require_equal("capacity", parameters_.capacity, other.parameters_.capacity);
  require_equal("target_false_positive_rate", shortest_text(parameters_.false_positive_rate),
                shortest_text(other.parameters_.false_positive_rate));
  require_equal("num_hashes", num_hashes(), other.num_hashes());
  require_equal("num_bits", num_bits(), other.num_bits());
}

std::string DcsoFilter::serialize() const {
  std::string bytes;
  append_little_endian(bytes, kVersion);
  append_little_endian(bytes, parameters_.capacity);
  append_little_endian(bytes, std::bit_cast<std::uint64_t>(parameters_.false_positive_rate));
  append_little_endian(bytes, parameters_.num_hashes);
  append_little_endian(bytes, parameters_.num_bits);
  append_little_endian(bytes, num_items_);
  append_word_bytes(bytes, bits_.words());
  return bytes + data_;
}

std::string_view DcsoFilter::why_no_exact_rate() noexcept {
  return "each hash of a key is the previous hash times -1469 modulo 2^64, so the indices do not "
         "follow any of the models W, D and P";
}

}  // namespace bloometry
